import { ClusterPods } from '../../../lambdas/controllers/scheduler/framework/ClusterPods.ts';
import { podInfoOf, type PodInfo } from '../../../lambdas/controllers/scheduler/framework/PodInfo.ts';
import { Snapshot } from '../../../lambdas/controllers/scheduler/framework/Snapshot.ts';
import { NO_VOLUMES, type Volumes } from '../../../lambdas/controllers/scheduler/framework/Volumes.ts';
import type { PodDecision } from '../../../lambdas/controllers/scheduler/schedulePod.ts';
import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';
import type { Labels } from '../../../lambdas/objects/selectors/labelRequirement.ts';

type PodSpec = NonNullable<Pod['spec']>;

/** A Ready node with room for 110 pods, 4 CPUs and 8 GiB, unless `allocatable` says otherwise. */
export function node(
  name: string,
  {
    labels = {},
    annotations = {},
    spec = {},
    allocatable = {},
    ready = 'True',
  }: {
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
    readonly spec?: NonNullable<Node['spec']>;
    readonly allocatable?: Record<string, string>;
    readonly ready?: string;
  } = {},
): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: name,
      resourceVersion: '1',
      creationTimestamp: '',
      labels: { 'kubernetes.io/hostname': name, ...labels },
      annotations,
    },
    spec,
    status: {
      conditions: [{ type: 'Ready', status: ready }],
      allocatable: { pods: '110', cpu: '4', memory: '8Gi', ...allocatable },
    },
  };
}

export interface PodParts {
  readonly namespace?: string;
  readonly labels?: Record<string, string>;
  readonly spec?: Partial<PodSpec>;
  readonly status?: NonNullable<Pod['status']>;
  /** The requests of its only container. */
  readonly requests?: Record<string, string>;
  readonly on?: string;
  readonly ownerUid?: string;
}

/** A pod with one container, whose UID is its name. */
export function pod(name: string, parts: PodParts = {}): Pod {
  const { namespace = 'default', labels = {}, spec, status, requests, on, ownerUid } = parts;
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: ownerUid ?? '', controller: true };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: name,
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels,
      ...(ownerUid !== undefined && { ownerReferences: [owner] }),
    },
    spec: {
      containers: [{ name: 'main', image: 'nginx', ...(requests && { resources: { requests } }) }],
      ...(on !== undefined && { nodeName: on }),
      ...spec,
    },
    ...(status && { status }),
  };
}

/** The status of a pod whose container has so much CPU, as far as the node knows. Set aside for it is as much, or `allocated`. */
export function sizedTo(cpu: string, allocated = cpu, more: object = {}): NonNullable<Pod['status']> {
  const size = { resources: { requests: { cpu } }, allocatedResources: { cpu: allocated } };
  const container = { name: 'main', image: 'nginx', imageID: '', ready: true, restartCount: 0 };
  const state = { running: { startedAt: '2026-01-01T00:00:00Z' } };
  return { phase: 'Running', containerStatuses: [{ ...container, state, ...size }], ...more };
}

export function info(name: string, parts: PodParts = {}): PodInfo {
  return podInfoOf(pod(name, parts));
}

/** The nodes with the pods on them. */
export function cluster(
  nodes: readonly Node[],
  pods: readonly Pod[] = [],
  namespaces: Readonly<Record<string, Labels>> = {},
  volumes: Volumes = NO_VOLUMES,
): Snapshot {
  return Snapshot.of(nodes, ClusterPods.of(pods), { namespaceLabels: new Map(Object.entries(namespaces)), volumes });
}

/** The name of the node that the pod gets, or why it gets none. */
export function placeOf(decided: PodDecision): string {
  return decided.decision === 'wait' ? decided.message : decided.node.metadata.name;
}
