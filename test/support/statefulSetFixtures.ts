import type { PersistentVolumeClaim, Pod, StatefulSet } from '../../lambdas/objects/kinds.ts';

type Members = Readonly<Record<string, unknown>>;

export const NOW_MS = Date.parse('2026-01-01T01:00:00Z');
const CREATED = '2026-01-01T00:00:00Z';
const LABELS = { app: 'web' };

/** A StatefulSet of three pods. `spec` adds to or replaces fields of its spec, `simulated` are annotations of its pods. */
export function statefulSetManifest(spec: Members = {}, simulated: Readonly<Record<string, string>> = {}) {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas: 3,
      serviceName: 'web',
      selector: { matchLabels: LABELS },
      template: templateOf('nginx:1', simulated),
      ...spec,
    },
  };
}

/** The pod template with this image; `simulated` without the prefix of their names. */
export function templateOf(image: string, simulated: Readonly<Record<string, string>> = {}) {
  const annotations = Object.fromEntries(
    Object.entries(simulated).map(([name, value]) => [`simulate.driftless.dev/${name}`, value]),
  );
  return { metadata: { labels: LABELS, annotations }, spec: { containers: [{ name: 'main', image }] } };
}

/** A template of claims named `data`. */
export const CLAIM_TEMPLATE = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

/** A stored set `web` of three pods. */
export function storedSet(spec: Members = {}, status: StatefulSet['status'] = { replicas: 0 }, metadata: Members = {}) {
  const given = statefulSetManifest({
    podManagementPolicy: 'OrderedReady',
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    ...spec,
  });
  const stored = { uid: 'uid-web', resourceVersion: '1', creationTimestamp: CREATED, generation: 1 };
  return { ...given, metadata: { ...given.metadata, ...stored, ...metadata }, status } as unknown as StatefulSet;
}

interface PodFacts {
  readonly revision?: string;
  readonly phase?: string;
  readonly isReady?: boolean;
  readonly readyAt?: string;
  readonly isTerminating?: boolean;
  readonly metadata?: Members;
  readonly spec?: Members;
}

/** A stored pod of the set, running and ready since an hour unless the facts say otherwise. */
export function storedPod(name: string, facts: PodFacts = {}): Pod {
  const { revision = 'web-new', phase = 'Running', isReady = phase === 'Running', readyAt = CREATED } = facts;
  const ordinal = name.split('-').at(-1) ?? '';
  const labels = {
    ...LABELS,
    'statefulset.kubernetes.io/pod-name': name,
    'apps.kubernetes.io/pod-index': ordinal,
    'controller-revision-hash': revision,
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      resourceVersion: '7',
      creationTimestamp: CREATED,
      labels,
      ...(facts.isTerminating === true && { deletionTimestamp: CREATED }),
      ...facts.metadata,
    },
    spec: { containers: [], ...facts.spec },
    status: {
      phase,
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: readyAt }],
    },
  };
}

/** The stored claim of the pod `web-ORDINAL`. */
export function storedClaim(ordinal: number, metadata: Members = {}): PersistentVolumeClaim {
  const name = `data-web-${ordinal}`;
  const stored = { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '3', creationTimestamp: CREATED };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...stored, ...metadata },
    spec: CLAIM_TEMPLATE.spec,
  };
}
