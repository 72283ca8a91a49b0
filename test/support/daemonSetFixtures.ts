import type { DaemonSet, Node, Pod } from '../../lambdas/objects/kinds.ts';

type Members = Readonly<Record<string, unknown>>;

export const LABELS = { app: 'agent' };

/** A DaemonSet whose pods run on every node. `spec` adds to or replaces fields of its spec, `pod` those of its pods, `simulated` are annotations of its pods. */
export function daemonSetManifest(
  spec: Members = {},
  pod: Members = {},
  simulated: Readonly<Record<string, string>> = {},
) {
  const annotations = Object.fromEntries(
    Object.entries(simulated).map(([name, value]) => [`simulate.driftless.dev/${name}`, value]),
  );
  const template = {
    metadata: { labels: LABELS, annotations },
    spec: { containers: [{ name: 'main', image: 'agent:1' }], terminationGracePeriodSeconds: 1, ...pod },
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent', namespace: 'default' },
    spec: { selector: { matchLabels: LABELS }, template, ...spec },
  };
}

/** A stored DaemonSet of one generation, with the defaults that decisions look at. */
export function storedDaemonSet(spec: Members = {}, pod: Members = {}): DaemonSet {
  const { metadata, ...manifest } = daemonSetManifest({}, pod);
  const stored = { uid: 'ds', resourceVersion: '1', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' };
  const defaults = {
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
    revisionHistoryLimit: 10,
  };
  return { ...manifest, metadata: { ...metadata, ...stored }, spec: { ...defaults, ...manifest.spec, ...spec } };
}

/** A stored node. */
export function storedNode(name: string, labels: Readonly<Record<string, string>> = {}, spec: Node['spec'] = {}): Node {
  const metadata = { name, labels, uid: name, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
  return { apiVersion: 'v1', kind: 'Node', metadata, spec };
}

/** What a pod of `storedPod` is like. */
export interface PodTraits {
  /** The label of its revision; `new` if absent. */
  readonly hash?: string;
  /** When it was created, in seconds; it became ready at the same time. */
  readonly at?: number;
  readonly phase?: string;
  /** Not ready unless its phase is Running. */
  readonly ready?: boolean;
  readonly deleting?: boolean;
  /** Not bound yet: meant for the node only. */
  readonly unbound?: boolean;
}

/** A stored pod of the DaemonSet on a node. */
export function storedPod(name: string, node: string, traits: PodTraits = {}): Pod {
  const {
    hash = 'new',
    at = 0,
    phase = 'Running',
    ready = phase === 'Running',
    deleting = false,
    unbound = false,
  } = traits;
  const time = new Date(Date.parse('2026-01-01T00:00:00Z') + at * 1_000).toISOString().replace('.000', '');
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  const required = { nodeSelectorTerms: [{ matchFields }] };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      resourceVersion: '7',
      creationTimestamp: time,
      labels: { ...LABELS, 'controller-revision-hash': hash },
      ...(deleting && { deletionTimestamp: time }),
    },
    spec: {
      containers: [],
      ...(unbound
        ? { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } }
        : { nodeName: node }),
    },
    status: {
      phase,
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: time }],
    },
  };
}
