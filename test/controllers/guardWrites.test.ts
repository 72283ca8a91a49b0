import { beforeEach, describe, expect, test } from 'vitest';
import { EmbeddedWorkQueue } from '../../lambdas/adapters/embedded/EmbeddedWorkQueue.ts';
import { SimulatedPodRuntime } from '../../lambdas/adapters/simulated/SimulatedPodRuntime.ts';
import { SCHEDULER_KEY } from '../../lambdas/controllers/scheduler/keysForChange.ts';
import { encodeCollectKey } from '../../lambdas/controllers/garbagecollector/keysForChange.ts';
import { parseConfig } from '../../lambdas/functions/parseConfig.ts';
import { createControllers } from '../../lambdas/functions/sync/createControllers.ts';
import { SIMULATED_PROVISIONER } from '../../lambdas/objects/simulated/simulatedStorage.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { KeyItem } from '../../lambdas/ports/KeyLocks.ts';
import type { ObjectStore } from '../../lambdas/ports/ObjectStore.ts';
import { CONTROLLER_NAMES, type ControllerName } from '../../lambdas/controllers/controllerRooms.ts';
import type { WorkKey } from '../../lambdas/ports/WorkKey.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import { createResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import { bootstrapTokenSecret } from '../support/bootstrapTokenSecret.ts';
import { kubeletAuthority } from '../support/kubeletAuthority.ts';
import { createSigningRequest } from '../support/signingRequests.ts';
import { widgetDefinition } from '../support/widgetDefinition.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import { ControllerBench } from '../support/ControllerBench.ts';

const DEADLINE_MS = 30_000;
const WEB = { name: 'web', namespace: 'default' };
const LABELS = { app: 'web' };
const SPEC = { containers: [{ name: 'main', image: 'nginx' }] };
const TEMPLATE = { metadata: { labels: LABELS }, spec: SPEC };

/** All controllers over writers that note each write, and whether the deadline had passed when it began. */
class GuardBench extends ControllerBench {
  readonly startedAtMs = this.clock.now();
  readonly writes: { readonly what: string; readonly isLate: boolean }[] = [];
  /** The write at which the deadline passes, counted from 0. */
  lastInTime = Number.POSITIVE_INFINITY;

  readonly #noting: Registry = {
    get: (key) => this.registry.get(key),
    list: (resource, options) => this.registry.list(resource, options),
    create: (resource, ...rest) => this.#note(`create ${resource}`, () => this.registry.create(resource, ...rest)),
    update: (resource, ...rest) => this.#note(`update ${resource}`, () => this.registry.update(resource, ...rest)),
    delete: (key, options) => this.#note(`delete ${key.resource}`, () => this.registry.delete(key, options)),
  };

  readonly #notingStore: ObjectStore = {
    get: (key) => this.objectStore.get(key),
    list: (resource, options) => this.objectStore.list(resource, options),
    create: (resource, object) => this.#note(`create ${resource}`, () => this.objectStore.create(resource, object)),
    replace: (resource, object) => this.#note(`replace ${resource}`, () => this.objectStore.replace(resource, object)),
    remove: (key, facts) => this.#note(`remove ${key.resource}`, () => this.objectStore.remove(key, facts)),
    burn: (key, uid) => this.#note(`burn ${key.resource}`, () => this.objectStore.burn(key, uid)),
  };

  readonly #parts = {
    ports: {
      objectStore: this.#notingStore,
      workQueue: new EmbeddedWorkQueue({ clock: this.clock, visibilityTimeoutMs: 90_000, maxReceives: 100 }),
      podRuntime: new SimulatedPodRuntime(),
      clock: this.clock,
      workClock: this.clock,
      ids: this.ids,
    },
    registry: this.#noting,
    catalog: createResourceCatalog(resourceEntries),
    certificateAuthority: kubeletAuthority,
    lateCreatesMs: 0,
    log: () => {},
  };

  /** Leases are renewed only where nobody of ours looks after nodes. */
  readonly controllers = [
    ...createControllers({ ...this.#parts, config: parseConfig() }),
    ...createControllers({
      ...this.#parts,
      config: parseConfig({ controllers: { nodelifecycle: { enabled: false } } }),
    }).filter(({ name }) => name === 'nodelease'),
  ];

  async #note<T>(what: string, write: () => Promise<T>): Promise<T> {
    this.writes.push({ what, isLate: this.clock.now() >= this.startedAtMs + DEADLINE_MS });
    const nth = this.writes.length - 1;
    const outcome = await write();
    if (nth === this.lastInTime) this.clock.advanceBy(DEADLINE_MS);
    return outcome;
  }

  /** Syncs once; that a sync fails for lack of time is all right. */
  async sync(key: WorkKey, item: KeyItem = { failures: 0 }): Promise<string[]> {
    const controller = this.controllers.find(({ name }) => name === key.controller);
    if (!controller) throw new Error(`there is no controller ${key.controller}`);
    const deadlineMs = this.startedAtMs + DEADLINE_MS;
    const start = { nowMs: this.clock.now(), deadlineMs, item, recordIntent: async () => {} };
    await controller.sync(key, start).catch(() => {});
    return this.writes.map(({ what }) => what);
  }

  /** The kinds of writes that began after the deadline. */
  late(): string[] {
    return [...new Set(this.writes.flatMap(({ what, isLate }) => (isLate ? [what] : [])))].toSorted();
  }
}

let bench: GuardBench;
beforeEach(async () => {
  bench = new GuardBench();
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  const status = { conditions: [{ type: 'Ready', status: 'True' }], allocatable: { pods: '1000000' } };
  await bench.create('nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node-1' },
    spec: { providerID: 'driftless://node-1' },
    status,
  });
});

function createPod(metadata: object): Promise<KubernetesObject> {
  return bench.create('pods', { apiVersion: 'v1', kind: 'Pod', metadata: { ...WEB, ...metadata }, spec: SPEC });
}

function createPodOn(nodeName: string): Promise<KubernetesObject> {
  const spec = { ...SPEC, nodeName };
  return bench.create('pods', { apiVersion: 'v1', kind: 'Pod', metadata: WEB, spec });
}

const REQUESTS = 'certificatesigningrequests.certificates.k8s.io';

/** The request of an administrator for the certificate of a kubelet. */
async function createRequest(): Promise<KubernetesObject> {
  const requester = { username: 'ann', groups: ['system:masters'] };
  const spec = {
    ...requester,
    request: await createSigningRequest(),
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['client auth', 'digital signature'],
  };
  const metadata = { name: 'worker' };
  return await bench.create(REQUESTS, {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata,
    spec,
  });
}

async function createBootstrapToken(expiration: string): Promise<void> {
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } });
  await bench.create('secrets', bootstrapTokenSecret({ expiration }));
}

function createService(): Promise<KubernetesObject> {
  const spec = { selector: LABELS, ports: [{ port: 80 }] };
  return bench.create('services', { apiVersion: 'v1', kind: 'Service', metadata: WEB, spec });
}

/** For each controller something to do, and the key under which it does it. */
const WORLDS: Readonly<Record<ControllerName, () => Promise<WorkKey>>> = {
  deployment: async () => {
    await createPod({ labels: LABELS });
    const spec = { replicas: 3, selector: { matchLabels: LABELS }, template: TEMPLATE };
    await bench.create('deployments.apps', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: WEB, spec });
    return { controller: 'deployment', ...WEB };
  },
  replicaset: async () => {
    await createPod({ labels: LABELS });
    const spec = { replicas: 8, selector: { matchLabels: LABELS }, template: TEMPLATE };
    await bench.create('replicasets.apps', { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: WEB, spec });
    return { controller: 'replicaset', ...WEB };
  },
  job: async () => {
    const template = { spec: { ...SPEC, restartPolicy: 'Never' } };
    await bench.create('jobs.batch', {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: WEB,
      spec: { parallelism: 3, template },
    });
    return { controller: 'job', ...WEB };
  },
  ttlafterfinished: async () => {
    const spec = { ttlSecondsAfterFinished: 0, template: { spec: { ...SPEC, restartPolicy: 'Never' } } };
    const job = await bench.create('jobs.batch', { apiVersion: 'batch/v1', kind: 'Job', metadata: WEB, spec });
    const lastTransitionTime = '2025-01-01T00:00:00Z';
    const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, status: 'True', lastTransitionTime }));
    const status = { startTime: lastTransitionTime, completionTime: lastTransitionTime, conditions };
    await bench.registry.update('jobs.batch', { ...job, status }, { subresource: 'status' });
    return { controller: 'ttlafterfinished', ...WEB };
  },
  cronjob: async () => {
    const job = { template: { spec: { ...SPEC, restartPolicy: 'Never' } } };
    const spec = { schedule: '@hourly', jobTemplate: { spec: job } };
    const given = { apiVersion: 'batch/v1', kind: 'CronJob', metadata: WEB, spec };
    const cronJob = await bench.create('cronjobs.batch', given);
    const active = [{ apiVersion: 'batch/v1', kind: 'Job', ...WEB, uid: 'gone' }];
    await bench.registry.update('cronjobs.batch', { ...cronJob, status: { active } }, { subresource: 'status' });
    return { controller: 'cronjob', ...WEB };
  },
  daemonset: async () => {
    await createPod({ labels: LABELS });
    const spec = { selector: { matchLabels: LABELS }, template: TEMPLATE };
    await bench.create('daemonsets.apps', { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: WEB, spec });
    return { controller: 'daemonset', ...WEB };
  },
  horizontalpodautoscaler: async () => {
    const spec = { replicas: 8, selector: { matchLabels: LABELS }, template: TEMPLATE };
    await bench.create('replicasets.apps', { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: WEB, spec });
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web' };
    await bench.create('horizontalpodautoscalers.autoscaling', {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: WEB,
      spec: { scaleTargetRef, maxReplicas: 4 },
    });
    return { controller: 'horizontalpodautoscaler', ...WEB };
  },
  statefulset: async () => {
    const claim = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    const metadata = { name: 'web-0', labels: LABELS };
    await bench.create('pods', { apiVersion: 'v1', kind: 'Pod', metadata: { ...WEB, ...metadata }, spec: SPEC });
    const spec = {
      replicas: 3,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: LABELS },
      template: TEMPLATE,
      volumeClaimTemplates: [claim],
    };
    await bench.create('statefulsets.apps', { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: WEB, spec });
    return { controller: 'statefulset', ...WEB };
  },
  replicationcontroller: async () => {
    const spec = { replicas: 3, selector: LABELS, template: TEMPLATE };
    await bench.create('replicationcontrollers', {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata: WEB,
      spec,
    });
    return { controller: 'replicationcontroller', ...WEB };
  },
  pod: async () => {
    await createPod({});
    return { controller: 'pod', ...WEB };
  },
  scheduler: async () => {
    const spec = { containers: [{ name: 'web', image: 'nginx', resources: { requests: { cpu: '1' } } }] };
    await bench.create('pods', { apiVersion: 'v1', kind: 'Pod', metadata: WEB, spec });
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } });
    return SCHEDULER_KEY;
  },
  garbagecollector: async () => {
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'gone', uid: 'gone' };
    const { metadata } = await createPod({ ownerReferences: [owner] });
    return encodeCollectKey({ resource: 'pods', ...WEB, uid: metadata.uid });
  },
  namespace: async () => {
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    await createPod({ namespace: 'team', finalizers: ['example.com/hold'] });
    await bench.registry.delete({ resource: 'namespaces', namespace: '', name: 'team' });
    return { controller: 'namespace', namespace: '', name: 'team' };
  },
  serviceaccount: async () => ({ controller: 'serviceaccount', namespace: 'default', name: 'default' }),
  resourcequota: async () => {
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: WEB, spec: { hard: { pods: '5' } } };
    await bench.create('resourcequotas', quota);
    return { controller: 'resourcequota', ...WEB };
  },
  customresourcedefinition: async () => {
    const { metadata } = await bench.create('customresourcedefinitions.apiextensions.k8s.io', widgetDefinition());
    return { controller: 'customresourcedefinition', namespace: '', name: metadata.name };
  },
  endpoint: async () => {
    await createService();
    return { controller: 'endpoint', ...WEB };
  },
  endpointslice: async () => {
    await createService();
    return { controller: 'endpointslice', ...WEB };
  },
  endpointslicemirroring: async () => {
    const spec = { ports: [{ port: 80 }] };
    await bench.create('services', { apiVersion: 'v1', kind: 'Service', metadata: WEB, spec });
    const subsets = [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }];
    await bench.create('endpoints', { apiVersion: 'v1', kind: 'Endpoints', metadata: WEB, subsets });
    return { controller: 'endpointslicemirroring', ...WEB };
  },
  disruption: async () => {
    const spec = { minAvailable: 1, selector: { matchLabels: LABELS } };
    await bench.create('poddisruptionbudgets.policy', {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: WEB,
      spec,
    });
    return { controller: 'disruption', ...WEB };
  },
  pvcprotection: async () => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    await bench.create('persistentvolumeclaims', {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: WEB,
      spec,
    });
    await bench.registry.delete({ resource: 'persistentvolumeclaims', ...WEB });
    return { controller: 'pvcprotection', ...WEB };
  },
  pvprotection: async () => {
    const spec = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/data' } };
    const metadata = { name: 'data' };
    await bench.create('persistentvolumes', { apiVersion: 'v1', kind: 'PersistentVolume', metadata, spec });
    await bench.registry.delete({ resource: 'persistentvolumes', namespace: '', name: 'data' });
    return { controller: 'pvprotection', namespace: '', name: 'data' };
  },
  persistentvolume: async () => {
    const storageClass = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'simulated' } };
    await bench.create('storageclasses.storage.k8s.io', { ...storageClass, provisioner: SIMULATED_PROVISIONER });
    const resources = { requests: { storage: '1Gi' } };
    const spec = { accessModes: ['ReadWriteOnce'], resources, storageClassName: 'simulated' };
    const kind = 'PersistentVolumeClaim';
    await bench.create('persistentvolumeclaims', { apiVersion: 'v1', kind, metadata: WEB, spec });
    return { controller: 'persistentvolume', ...WEB };
  },
  validatingadmissionpolicystatus: async () => {
    const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['*'] }];
    await bench.create('validatingadmissionpolicies.admissionregistration.k8s.io', {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'small' },
      spec: { matchConstraints: { resourceRules }, validations: [{ expression: 'true' }] },
    });
    return { controller: 'validatingadmissionpolicystatus', namespace: '', name: 'small' };
  },
  nodelifecycle: async () => {
    const conditions = [{ type: 'Ready', status: 'False', reason: 'KubeletNotReady' }];
    const metadata = { name: 'worker' };
    await bench.create('nodes', { apiVersion: 'v1', kind: 'Node', metadata, status: { conditions } });
    return { controller: 'nodelifecycle', namespace: '', name: 'worker' };
  },
  nodelease: async () => {
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-node-lease' } });
    return { controller: 'nodelease', namespace: 'kube-node-lease', name: 'simulated' };
  },
  tainteviction: async () => {
    const taints = [{ key: 'broken', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' }];
    await bench.create('nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker' }, spec: { taints } });
    await createPodOn('worker');
    return { controller: 'tainteviction', namespace: '', name: 'worker' };
  },
  podgc: async () => {
    const taints = [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }];
    await bench.create('nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker' }, spec: { taints } });
    await createPodOn('worker');
    await bench.registry.delete({ resource: 'pods', ...WEB });
    return { controller: 'podgc', namespace: '', name: 'worker' };
  },
  csrapproving: async () => {
    await createRequest();
    return { controller: 'csrapproving', namespace: '', name: 'worker' };
  },
  csrsigning: async () => {
    const request = await createRequest();
    const conditions = [{ type: 'Approved', status: 'True' }];
    await bench.registry.update(REQUESTS, { ...request, status: { conditions } }, { subresource: 'approval' });
    return { controller: 'csrsigning', namespace: '', name: 'worker' };
  },
  csrcleaner: async () => {
    const request = await createRequest();
    const conditions = [{ type: 'Denied', status: 'True', lastUpdateTime: '2025-01-01T00:00:00Z' }];
    await bench.registry.update(REQUESTS, { ...request, status: { conditions } }, { subresource: 'approval' });
    return { controller: 'csrcleaner', namespace: '', name: 'worker' };
  },
  bootstrapsigner: async () => {
    await createBootstrapToken('2027-01-01T00:00:00Z');
    const key = { namespace: 'kube-public', name: 'cluster-info' };
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: key.namespace } });
    const data = { kubeconfig: 'kind: Config' };
    await bench.create('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data });
    return { controller: 'bootstrapsigner', ...key };
  },
  tokencleaner: async () => {
    await createBootstrapToken('2025-01-01T00:00:00Z');
    return { controller: 'tokencleaner', namespace: 'kube-system', name: 'bootstrap-token-abcdef' };
  },
};

describe.each(CONTROLLER_NAMES)('a sync of the %s controller', (name) => {
  test('writes something while there is time', async () => {
    expect(await bench.sync(await WORLDS[name]())).not.toEqual([]);
  });

  test('begins no write once its deadline has passed', async () => {
    const key = await WORLDS[name]();
    bench.clock.advanceBy(DEADLINE_MS);
    await bench.sync(key);
    expect(bench.late()).toEqual([]);
  });

  test.each([0, 1, 2, 3, 4, 5])('begins none when the deadline passes during its write %i', async (lastInTime) => {
    const key = await WORLDS[name]();
    bench.lastInTime = lastInTime;
    await bench.sync(key);
    expect(bench.late()).toEqual([]);
  });
});
