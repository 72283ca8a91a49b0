import type { PodSpec } from 'kubernetes-types/core/v1.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../../infra/testCluster/startCluster.ts';
import { podStory } from '../support/podStory.ts';

const configMap = (name: string, data: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});
const secret = (name: string, stringData: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  stringData,
});
const claim = (name: string) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'standard' },
});

const container = (more: object) => ({ containers: [{ name: 'web', image: 'nginx:1.27', ...more }] });
const variable = (source: object) => container({ env: [{ name: 'V', valueFrom: source }] });
const variables = (source: object) => container({ envFrom: [source] });
const volume = (source: object, more: object = {}) => ({
  ...container({ volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
  volumes: [{ name: 'v', ...source }],
  ...more,
});
const projected = (...sources: object[]) => volume({ projected: { sources } });

/** What a user writes, and what a real cluster says about it. */
interface Row {
  readonly spec: Partial<PodSpec>;
  /** The container's reason and message. */
  readonly waits: string;
  /** The events of type Warning. */
  readonly events: readonly string[];
  /** What makes the pod go on; absent if nothing but a change of the pod does. */
  readonly remedy?: object | readonly object[];
  /** What is there before the pod. */
  readonly given?: readonly object[];
}

const CREATING = 'ContainerCreating';
const configError = (message: string) => ({
  waits: `CreateContainerConfigError: ${message}`,
  events: [`Failed: Error: ${message}`],
});
const mountError = (message: string) => ({
  waits: CREATING,
  events: [`FailedMount: MountVolume.SetUp failed for volume "v" : ${message}`],
});
const claimError = (message: string) => ({
  waits: CREATING,
  events: [
    `FailedMount: Unable to attach or mount volumes: unmounted volumes=[v], unattached volumes=[], failed to process volumes=[v]: error processing PVC default/x: ${message}`,
  ],
});

const STUCK: Readonly<Record<string, Row>> = {
  'a variable from a missing ConfigMap': {
    spec: variable({ configMapKeyRef: { name: 'x', key: 'k' } }),
    ...configError('configmap "x" not found'),
    remedy: configMap('x', { k: '1' }),
  },
  'a variable from a missing key of a ConfigMap': {
    given: [configMap('x', { other: '1' })],
    spec: variable({ configMapKeyRef: { name: 'x', key: 'k' } }),
    ...configError("couldn't find key k in ConfigMap default/x"),
    remedy: configMap('x', { k: '1' }),
  },
  'a variable from a missing Secret': {
    spec: variable({ secretKeyRef: { name: 'x', key: 'k' } }),
    ...configError('secret "x" not found'),
    remedy: secret('x', { k: '1' }),
  },
  'a variable from a missing key of a Secret': {
    given: [secret('x', { other: '1' })],
    spec: variable({ secretKeyRef: { name: 'x', key: 'k' } }),
    ...configError("couldn't find key k in Secret default/x"),
    remedy: secret('x', { k: '1' }),
  },
  'all variables of a missing ConfigMap': {
    spec: variables({ configMapRef: { name: 'x' } }),
    ...configError('configmap "x" not found'),
    remedy: configMap('x'),
  },
  'all variables of a missing Secret': {
    spec: variables({ secretRef: { name: 'x' } }),
    ...configError('secret "x" not found'),
    remedy: secret('x'),
  },
  'a volume of a missing ConfigMap': {
    spec: volume({ configMap: { name: 'x' } }),
    ...mountError('configmap "x" not found'),
    remedy: configMap('x'),
  },
  'a volume of a missing key of a ConfigMap': {
    given: [configMap('x')],
    spec: volume({ configMap: { name: 'x', items: [{ key: 'k', path: 'k' }] } }),
    ...mountError('configmap references non-existent config key: k'),
    remedy: configMap('x', { k: '1' }),
  },
  'a volume of a missing Secret': {
    spec: volume({ secret: { secretName: 'x' } }),
    ...mountError('secret "x" not found'),
    remedy: secret('x'),
  },
  'a volume of a missing key of a Secret': {
    given: [secret('x')],
    spec: volume({ secret: { secretName: 'x', items: [{ key: 'k', path: 'k' }] } }),
    ...mountError('references non-existent secret key: k'),
    remedy: secret('x', { k: '1' }),
  },
  'a projected volume of a missing Secret and a missing ConfigMap': {
    spec: projected({ secret: { name: 'x' } }, { configMap: { name: 'x' } }),
    ...mountError('[secret "x" not found, configmap "x" not found]'),
    remedy: [secret('x'), configMap('x')],
  },
  'a missing claim, on a node that the user has chosen': {
    spec: volume({ persistentVolumeClaim: { claimName: 'x' } }, { nodeName: 'driftless-node-1' }),
    ...claimError('failed to fetch PVC from API server: persistentvolumeclaims "x" not found'),
  },
  'a claim that is not bound, on a node that the user has chosen': {
    given: [claim('x')],
    spec: volume({ persistentVolumeClaim: { claimName: 'x' } }, { nodeName: 'driftless-node-1' }),
    ...claimError('PVC is not bound'),
  },
  'an image that is never pulled, on a node without it': {
    spec: container({ imagePullPolicy: 'Never' }),
    waits: 'ErrImageNeverPull: Container image "nginx:1.27" is not present with pull policy of Never',
    events: [
      'ErrImageNeverPull: Container image "nginx:1.27" is not present with pull policy of Never',
      'Failed: Error: ErrImageNeverPull',
    ],
  },
  'a name that no image can have': {
    spec: container({ image: 'Nginx' }),
    waits:
      'InvalidImageName: Failed to apply default image tag "Nginx": couldn\'t parse image name "Nginx": invalid reference format: repository name (library/Nginx) must be lowercase',
    events: [
      'InspectFailed: Failed to apply default image tag "Nginx": couldn\'t parse image name "Nginx": invalid reference format: repository name (library/Nginx) must be lowercase',
      'Failed: Error: InvalidImageName',
    ],
  },
};

const affinityTo = (labelSelector: object) => ({
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', labelSelector }],
    },
  },
});

const NOT_HELPFUL = 'preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.';

/** What a user writes, and what the scheduler says about it. */
const UNSCHEDULABLE: Readonly<Record<string, readonly [Partial<PodSpec>, string]>> = {
  'more processors than a node has': [
    container({ resources: { requests: { cpu: '1000' } } }),
    `0/3 nodes are available: 3 Insufficient cpu. ${NOT_HELPFUL}`,
  ],
  'a label that no node has': [
    { nodeSelector: { disk: 'ssd' } },
    `0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. ${NOT_HELPFUL}`,
  ],
  'an affinity to pods that there are not': [
    affinityTo({ matchLabels: { app: 'x' } }),
    `0/3 nodes are available: 3 node(s) didn't match pod affinity rules. ${NOT_HELPFUL}`,
  ],
  'a claim that does not exist': [
    volume({ persistentVolumeClaim: { claimName: 'x' } }),
    `0/3 nodes are available: persistentvolumeclaim "x" not found. ${NOT_HELPFUL}`,
  ],
};

/** What a user writes, and why it is refused. */
const REFUSED: Readonly<Record<string, readonly [Partial<PodSpec>, string]>> = {
  'service account': [
    { serviceAccountName: 'x' },
    'pods "r" is forbidden: error looking up service account default/x: serviceaccount "x" not found',
  ],
  'runtime class': [{ runtimeClassName: 'x' }, 'pods "r" is forbidden: pod rejected: RuntimeClass "x" not found'],
};

const OPTIONAL: Readonly<Record<string, Partial<PodSpec>>> = {
  'a variable from a ConfigMap': variable({ configMapKeyRef: { name: 'x', key: 'k', optional: true } }),
  'a variable from a Secret': variable({ secretKeyRef: { name: 'x', key: 'k', optional: true } }),
  'all variables of a ConfigMap': variables({ configMapRef: { name: 'x', optional: true } }),
  'all variables of a Secret': variables({ secretRef: { name: 'x', optional: true } }),
  'a volume of a ConfigMap': volume({ configMap: { name: 'x', optional: true, items: [{ key: 'k', path: 'k' }] } }),
  'a volume of a Secret': volume({ secret: { secretName: 'x', optional: true } }),
  'a projected volume': projected(
    { secret: { name: 'x', optional: true } },
    { configMap: { name: 'x', optional: true } },
  ),
};

describe('a pod stays where it would stay in a real cluster', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster({ clock: 'virtual' });
  });
  afterAll(() => cluster.stop());

  async function create(name: string, spec: object): Promise<void> {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec };
    await cluster.apply(pod);
    await cluster.settle();
  }

  async function cleanUp(name: string): Promise<void> {
    await cluster.delete(`pod/${name}`, { gracePeriodSeconds: 0 });
    for (const kind of ['configmap', 'secret', 'persistentvolumeclaim'])
      await cluster.delete(`${kind}/x`).catch(() => {});
    await cluster.settle();
  }

  test.each(Object.entries(STUCK))('with %s', async (title, { given = [], spec, waits, events, remedy }) => {
    const name = `p${Object.keys(STUCK).indexOf(title)}`;
    for (const one of given) await cluster.apply(one);
    await create(name, spec);
    expect(await podStory(cluster, name)).toEqual({ containers: [`web: ${waits}`], events });
    const { phase, conditions = [] } = (await cluster.get(`pod/${name}`)).status ?? {};
    expect(phase).toBe('Pending');
    const sandbox = conditions.find(({ type }) => type === 'PodReadyToStartContainers');
    expect(sandbox?.status).toBe(waits === CREATING ? 'False' : 'True');
    if (remedy) {
      await cluster.apply(remedy as object);
      await cluster.settle();
      expect((await podStory(cluster, name)).containers).toEqual(['web: Running']);
    }
    await cleanUp(name);
  });

  test.each(Object.entries(UNSCHEDULABLE))('without a node, with %s', async (title, [spec, message]) => {
    const name = `u${Object.keys(UNSCHEDULABLE).indexOf(title)}`;
    await create(name, { ...container({}), ...spec });
    expect(await podStory(cluster, name)).toEqual({ containers: [], events: [`FailedScheduling: ${message}`] });
    const { phase, conditions = [] } = (await cluster.get(`pod/${name}`)).status ?? {};
    expect([phase, conditions[0]]).toMatchObject([
      'Pending',
      { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message },
    ]);
    await cleanUp(name);
  });

  test.each(Object.entries(REFUSED))('or is refused without its %s', async (_, [spec, message]) => {
    await expect(create('r', { ...container({}), ...spec })).rejects.toThrow(message);
  });

  test.each(Object.entries(OPTIONAL))('and starts if it can do without %s', async (title, spec) => {
    const name = `o${Object.keys(OPTIONAL).indexOf(title)}`;
    await create(name, spec);
    expect((await podStory(cluster, name)).containers).toEqual(['web: Running']);
    await cleanUp(name);
  });
});
