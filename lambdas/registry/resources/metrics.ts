import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { ContainerUsage, Usage } from '../../objects/simulated/simulatedUsage.ts';
import { defineResource } from '../defineResource.ts';
import { cell, nameCell, tableOf } from '../tables/tableOf.ts';

/** What a node uses, as `metrics.k8s.io/v1beta1` describes it. */
export interface NodeMetrics extends KubernetesObject {
  readonly timestamp: string;
  readonly window: string;
  readonly usage: Usage;
}

/** What the running containers of a pod use. */
export interface PodMetrics extends KubernetesObject {
  readonly timestamp: string;
  readonly window: string;
  readonly containers: readonly ContainerUsage[];
}

const common = { group: 'metrics.k8s.io', storageVersion: 'v1beta1', virtual: true, verbs: ['get', 'list'] } as const;
const window = cell<{ window: string }>('Window', 'The time that was measured.', (it) => it.window);

/** What nodes use. rest/ computes it when it is asked for; nothing is stored. */
export const nodeMetrics = defineResource({
  ...common,
  kind: 'NodeMetrics',
  plural: 'nodes',
  namespaced: false,
  table: tableOf<NodeMetrics>(
    nameCell,
    cell('CPU', 'The CPU that the node uses.', ({ usage }) => usage.cpu),
    cell('Memory', 'The memory that the node uses.', ({ usage }) => usage.memory),
    window,
  ),
});

/** What pods use. rest/ computes it when it is asked for; nothing is stored. */
export const podMetrics = defineResource({
  ...common,
  kind: 'PodMetrics',
  plural: 'pods',
  namespaced: true,
  table: tableOf<PodMetrics>(
    nameCell,
    cell('CPU', 'The CPU that each container uses.', ({ containers }) =>
      containers.map((one) => one.usage.cpu).join(','),
    ),
    cell('Memory', 'The memory that each container uses.', ({ containers }) =>
      containers.map((one) => one.usage.memory).join(','),
    ),
    window,
  ),
});
