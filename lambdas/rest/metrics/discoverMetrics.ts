import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { simulatedNames } from '../../objects/simulated/simulatedAmounts.ts';
import { groupVersionOf } from '../../registry/versions/convertVersion.ts';
import type { ApiDependencies } from '../request/ResourceRequest.ts';
import { EXTERNAL_METRICS } from './metricsGroups.ts';

/** The resources whose objects are asked for metrics of their own. A metric of another kind is served, too, but not listed. */
const DESCRIBED = [
  { resource: 'deployments.apps', name: 'deployments.apps' },
  { resource: 'ingresses.networking.k8s.io', name: 'ingresses.networking.k8s.io' },
  { resource: 'pods', name: 'pods' },
  { resource: 'services', name: 'services' },
] as const;

/** The resources whose loads are metrics of their pods. */
const WORKLOADS = [
  'daemonsets.apps',
  'deployments.apps',
  'replicasets.apps',
  'replicationcontrollers',
  'statefulsets.apps',
];

/**
 * How many objects of each resource are asked which metrics they have. Every client reads discovery first, so what it costs must not grow with the cluster. A metric of other objects is served, too, but not
 * listed.
 */
export const MAX_DESCRIBED_OBJECTS = 500;

/** The loads of these names are no custom metrics. */
const RESOURCES = new Set(['cpu', 'memory']);

type Parts = Pick<ApiDependencies, 'registry'>;

/** Lists the metrics of a group version that objects have now, as a metrics adapter's discovery does: `pods/rps`, `services/hits`, and the names of external ones. Reads the first objects of each resource that may have metrics. */
export async function discoverMetrics(parts: Parts, group: string, version: string): Promise<object> {
  const resources = await listMetrics(parts, group);
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: groupVersionOf(group, version), resources };
}

/** One metric, as a list of resources describes it. */
export interface ListedMetric {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** Lists the metrics of a group, by name. */
export async function listMetrics(parts: Parts, group: string): Promise<readonly ListedMetric[]> {
  const isExternal = group === EXTERNAL_METRICS;
  const names = isExternal ? await externalNames(parts) : await customNames(parts);
  return [...new Set(names)].sort().map((name) => ({
    name,
    singularName: '',
    namespaced: !name.startsWith('namespaces/'),
    kind: isExternal ? 'ExternalMetricValueList' : 'MetricValueList',
    verbs: ['get'],
  }));
}

async function externalNames({ registry }: Parts): Promise<readonly string[]> {
  const { items } = await registry.list('namespaces', { limit: MAX_DESCRIBED_OBJECTS });
  return items.flatMap((namespace) => simulatedNames(namespace, 'external-'));
}

async function customNames({ registry }: Parts): Promise<readonly string[]> {
  const listed = (resource: string): Promise<readonly KubernetesObject[]> =>
    registry.list(resource, { limit: MAX_DESCRIBED_OBJECTS }).then(({ items }) => items);
  const own = [...DESCRIBED, { resource: 'namespaces', name: 'namespaces' }].map(async ({ resource, name }) =>
    (await listed(resource)).flatMap((object) =>
      simulatedNames(object, 'metric-').map((metric) => `${name}/${metric}`),
    ),
  );
  const loads = WORKLOADS.map(async (resource) =>
    (await listed(resource)).flatMap((object) =>
      simulatedNames(object, 'load-').filter((name) => !RESOURCES.has(name)),
    ),
  );
  const shared = (await Promise.all(loads)).flat();
  return [...(await Promise.all(own)).flat(), ...shared.map((metric) => `pods/${metric}`)];
}
