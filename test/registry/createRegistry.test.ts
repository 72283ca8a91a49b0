import { beforeEach, describe, expect, it } from 'vitest';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import type { KubernetesObject, NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { Ids } from '../../lambdas/ports/Ids.ts';
import { createRegistry } from '../../lambdas/registry/createRegistry.ts';
import type { DeleteOutcome, Registry, WriteOutcome } from '../../lambdas/registry/Registry.ts';
import { createResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import { FakeObjectStore } from '../support/FakeObjectStore.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';

let store: FakeObjectStore;
let clock: VirtualClock;
let ids: Ids;
let registry: Registry;

beforeEach(async () => {
  store = new FakeObjectStore();
  clock = new VirtualClock(Date.UTC(2026, 0, 1));
  ids = new SeededIds(1);
  registry = createRegistry({ objectStore: store, clock, ids, catalog: createResourceCatalog(resourceEntries) });
  stored(await registry.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns' } }));
  store.calls.length = 0;
});

function stored<T>(outcome: WriteOutcome<T>): T {
  if (outcome.status === 'refused') throw outcome.error;
  return outcome.object;
}

function refusal(outcome: WriteOutcome<unknown> | DeleteOutcome<unknown>): string {
  return outcome.status === 'refused' ? `${outcome.error.reason}: ${outcome.error.message}` : outcome.status;
}

function pod(name = 'web', spec: object = {}): NewObject {
  const containers = [{ name: 'main', image: 'nginx' }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'ns' }, spec: { containers, ...spec } };
}

function deployment(spec: object = {}): NewObject {
  const labels = { app: 'web' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'ns' },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
      ...spec,
    },
  };
}

function configMap(metadata: object = {}, data: object = { a: '1' }): NewObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cm', namespace: 'ns', ...metadata }, data };
}

const key = (resource: string, name: string, namespace = 'ns') => ({ resource, namespace, name });
const change = (object: KubernetesObject, fields: object) => ({ ...object, ...fields });
const changeMeta = (object: KubernetesObject, metadata: object) =>
  change(object, { metadata: { ...object.metadata, ...metadata } });

describe('creating', () => {
  it('fills in the metadata of the server and drops what clients may not set', async () => {
    const given = deployment();
    Object.assign(given.metadata, { generation: 7, deletionTimestamp: '2020-01-01T00:00:00Z', managedFields: [{}] });
    const object = stored(await registry.create('deployments.apps', { ...given, status: { replicas: 9 } }));
    expect(object.metadata).toMatchObject({ name: 'web', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' });
    expect(object.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(object.metadata).not.toHaveProperty('deletionTimestamp');
    expect(object.metadata).not.toHaveProperty('managedFields');
    expect(object['status']).toEqual({});
    expect(object['spec']).toMatchObject({ replicas: 1, revisionHistoryLimit: 10 });
  });

  it('a pod costs reading the namespace, listing limit ranges and quotas, and the create', async () => {
    stored(await registry.create('pods', pod()));
    expect(store.calls).toEqual([
      'get namespaces /ns',
      'list limitranges',
      'list resourcequotas',
      'create pods ns/web',
    ]);
  });

  it('a pod gets the defaults of admission', async () => {
    const object = stored(await registry.create('pods', pod()));
    expect(object['spec']).toMatchObject({
      serviceAccountName: 'default',
      serviceAccount: 'default',
      priority: 0,
      preemptionPolicy: 'PreemptLowerPriority',
      enableServiceLinks: true,
    });
    expect((object['spec'] as { tolerations: unknown }).tolerations).toEqual([
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    ]);
    expect(object['status']).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
  });

  it('a planned UID is kept', async () => {
    const planned = pod();
    planned.metadata.uid = 'planned';
    expect(stored(await registry.create('pods', planned)).metadata.uid).toBe('planned');
  });

  it.each([
    ['a taken name', configMap(), 'AlreadyExists: configmaps "cm" already exists'],
    ['an unknown namespace', configMap({ namespace: 'no' }), 'NotFound: namespaces "no" not found'],
    [
      'no name',
      configMap({ name: '' }),
      'Invalid: ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    [
      'a resourceVersion',
      configMap({ resourceVersion: '1' }),
      'Unknown: resourceVersion should not be set on objects to be created',
    ],
    [
      'two errors',
      configMap({ name: 'x', labels: { '-': 'y' }, finalizers: ['/'] }),
      /^Invalid: ConfigMap "x" is invalid: \[metadata\.labels: Invalid value: "-": name part must .*, metadata\.finalizers: Invalid value: "\/": prefix part must be non-empty, .*\]$/,
    ],
    [
      'two controllers',
      configMap({
        name: 'x',
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: '1', controller: true },
          { apiVersion: 'v1', kind: 'Pod', name: 'b', uid: '2', controller: true },
        ],
      }),
      /Only one reference can have Controller set to true\. Found "true" in references for Pod\/a and Pod\/b/,
    ],
    [
      'annotations over 256 KiB',
      configMap({ name: 'x', annotations: { a: 'x'.repeat(262_144) } }),
      'Invalid: ConfigMap "x" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes',
    ],
    [
      'too large an object',
      configMap({ name: 'x' }, { a: 'x'.repeat(400_000) }),
      'RequestEntityTooLarge: Request entity too large: limit is 380000',
    ],
  ])('refuses %s', async (_, object, message) => {
    stored(await registry.create('configmaps', configMap()));
    const outcome = refusal(await registry.create('configmaps', object));
    if (message instanceof RegExp) expect(outcome).toMatch(message);
    else expect(outcome).toBe(message);
  });

  it('an invalid spec is refused with a cause for each field', async () => {
    const outcome = await registry.create('deployments.apps', deployment({ replicas: -1 }));
    expect(refusal(outcome)).toBe(
      'Invalid: Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    );
    expect(outcome.status === 'refused' && outcome.error.details).toEqual({
      name: 'web',
      group: 'apps',
      kind: 'Deployment',
      causes: [
        {
          reason: 'FieldValueInvalid',
          message: 'Invalid value: -1: must be greater than or equal to 0',
          field: 'spec.replicas',
        },
      ],
    });
  });

  it('generateName tries eight names before it gives up', async () => {
    const sameName: Ids = { uid: () => ids.uid(), nameSuffix: () => 'aaaaa', random: () => 0 };
    const stuck = createRegistry({
      objectStore: store,
      clock,
      ids: sameName,
      catalog: createResourceCatalog(resourceEntries),
    });
    const object = configMap({ name: undefined, generateName: 'cm-' });
    expect(stored(await stuck.create('configmaps', object)).metadata.name).toBe('cm-aaaaa');
    store.calls.length = 0;
    expect(refusal(await stuck.create('configmaps', object))).toBe(
      'AlreadyExists: configmaps "cm-aaaaa" already exists, the server was not able to generate a unique name for the object',
    );
    expect(store.calls.filter((call) => call.startsWith('create'))).toHaveLength(8);
  });

  it('a long generateName is cut to leave a name of 63', async () => {
    const object = stored(await registry.create('configmaps', configMap({ name: '', generateName: 'x'.repeat(80) })));
    expect(object.metadata.name).toHaveLength(63);
  });

  it('a dry run stores nothing and refuses a taken name', async () => {
    stored(await registry.create('configmaps', configMap(), { dryRun: true }));
    stored(await registry.create('configmaps', configMap()));
    expect(refusal(await registry.create('configmaps', configMap(), { dryRun: true }))).toMatch(/^AlreadyExists/);
  });

  it('nothing can be created in a namespace that is being deleted', async () => {
    await registry.delete(key('namespaces', 'ns', ''));
    const outcome = await registry.create('configmaps', configMap());
    expect(refusal(outcome)).toBe(
      'Forbidden: configmaps "cm" is forbidden: unable to create new content in namespace ns because it is being terminated',
    );
    expect(outcome.status === 'refused' && outcome.error.details?.causes).toEqual([
      { reason: 'NamespaceTerminating', message: 'namespace ns is being terminated', field: 'metadata.namespace' },
    ]);
  });

  it('a secret stores its text in base64, and is Opaque by default', async () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'ns' } };
    const object = stored(await registry.create('secrets', { ...secret, stringData: { a: 'hi' } }));
    expect(object).toMatchObject({ type: 'Opaque', data: { a: 'aGk=' } });
    expect(object).not.toHaveProperty('stringData');
  });

  it('each service gets its own address', async () => {
    const service = (name: string) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: 'ns' },
      spec: { ports: [{ port: 80 }] },
    });
    const [a, b] = [
      stored(await registry.create('services', service('a'))),
      stored(await registry.create('services', service('b'))),
    ];
    const [ipA, ipB] = [a, b].map((object) => (object['spec'] as { clusterIP: string }).clusterIP);
    expect(ipA).toMatch(/^10\.(9[6-9]|10\d|11[01])\.\d+\.\d+$/);
    expect(ipA).not.toBe(ipB);
    expect(a['spec']).toMatchObject({
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      clusterIPs: [ipA],
    });
  });

  it.each([0, '', undefined])('a service port whose target port is %j targets its own port', async (targetPort) => {
    const metadata = { name: 'a', namespace: 'ns' };
    const spec = { ports: [{ port: 80, ...(targetPort !== undefined && { targetPort }) }] };
    const object = stored(await registry.create('services', { apiVersion: 'v1', kind: 'Service', metadata, spec }));
    expect(object['spec']).toMatchObject({ ports: [{ port: 80, targetPort: 80 }] });
  });

  it('an access review is not stored, and its status is left to the REST API', async () => {
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      metadata: {},
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    };
    const object = stored(await registry.create('selfsubjectaccessreviews.authorization.k8s.io', review));
    expect(object['status']).toBeUndefined();
    expect(store.calls).toEqual([]);
  });
});

describe('an update', () => {
  it('with the object that the caller read costs exactly one conditional write', async () => {
    const object = stored(await registry.create('configmaps', configMap()));
    store.calls.length = 0;
    stored(await registry.update('configmaps', change(object, { data: { a: '2' } }), { from: object }));
    expect(store.calls).toEqual(['replace configmaps ns/cm']);
  });

  it('that changes nothing writes nothing and keeps the resourceVersion', async () => {
    const object = stored(await registry.create('deployments.apps', deployment()));
    store.calls.length = 0;
    const again = stored(await registry.update('deployments.apps', deployment() as KubernetesObject));
    expect(again.metadata.resourceVersion).toBe(object.metadata.resourceVersion);
    expect(store.calls).toEqual(['get deployments.apps ns/web']);
  });

  it("of a spec or of a Deployment's annotations increases the generation; one of labels does not", async () => {
    let object = stored(await registry.create('deployments.apps', deployment()));
    const generation = async (next: KubernetesObject) => {
      object = stored(await registry.update('deployments.apps', next));
      return object.metadata.generation;
    };
    expect(await generation(change(object, { spec: { ...(object['spec'] as object), replicas: 3 } }))).toBe(2);
    expect(await generation(changeMeta(object, { annotations: { a: 'b' } }))).toBe(3);
    expect(await generation(changeMeta(object, { labels: { a: 'b' } }))).toBe(3);
    expect(await generation(changeMeta(object, { generation: 99 }))).toBe(3);
  });

  it('with a stale resourceVersion is a conflict', async () => {
    const object = stored(await registry.create('configmaps', configMap()));
    stored(await registry.update('configmaps', change(object, { data: { a: '2' } })));
    const stale =
      'Conflict: Operation cannot be fulfilled on configmaps "cm": the object has been modified; please apply your changes to the latest version and try again';
    expect(refusal(await registry.update('configmaps', change(object, { data: { a: '3' } })))).toBe(stale);
    const unversioned = changeMeta(change(object, { data: { a: '3' } }), { resourceVersion: '' });
    expect(refusal(await registry.update('configmaps', unversioned, { from: object }))).toBe(stale);
  });

  it('without a resourceVersion is decided again when another writer comes in between', async () => {
    const object = stored(await registry.create('configmaps', configMap()));
    store.beforeWrite = async () => {
      stored(await registry.update('configmaps', changeMeta(object, { labels: { other: 'writer' } })));
    };
    const after = stored(
      await registry.update('configmaps', changeMeta(object, { resourceVersion: '', labels: { last: 'writer' } })),
    );
    expect(after.metadata.labels).toEqual({ last: 'writer' });
  });

  it.each([
    [{ uid: 'other' }, /^Conflict: .*Precondition failed: UID in precondition: other, UID in object meta: /],
    [
      { deletionTimestamp: '2026-01-01T00:00:00Z' },
      'Invalid: ConfigMap "cm" is invalid: metadata.deletionTimestamp: Invalid value: "2026-01-01T00:00:00Z": field is immutable',
    ],
    [{ creationTimestamp: '2020-01-01T00:00:00Z' }, 'stored'],
    [{ name: 'absent' }, 'NotFound: configmaps "absent" not found'],
  ])('with the metadata %j cannot change what only the server sets', async (metadata, expected) => {
    const object = stored(await registry.create('configmaps', configMap()));
    const outcome = refusal(await registry.update('configmaps', changeMeta(object, metadata)));
    if (expected instanceof RegExp) expect(outcome).toMatch(expected);
    else expect(outcome).toBe(expected);
  });

  it('of the status keeps the spec, and one of the spec keeps the status', async () => {
    const object = stored(await registry.create('deployments.apps', deployment()));
    const spec = { ...(object['spec'] as object), replicas: 5 };
    const both = change(object, { spec, status: { replicas: 5 } });
    const afterStatus = stored(
      await registry.update('deployments.apps', changeMeta(both, { labels: { a: 'b' } }), { subresource: 'status' }),
    );
    expect(afterStatus['spec']).toMatchObject({ replicas: 1 });
    expect(afterStatus['status']).toEqual({ replicas: 5 });
    expect(afterStatus.metadata.generation).toBe(1);
    expect(afterStatus.metadata).not.toHaveProperty('labels');
    const afterSpec = stored(await registry.update('deployments.apps', change(afterStatus, { spec, status: {} })));
    expect(afterSpec['status']).toEqual({ replicas: 5 });
    expect(afterSpec.metadata.generation).toBe(2);
  });

  it('of an absent lease or event creates it', async () => {
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l', namespace: 'ns' },
      spec: { holderIdentity: 'me' },
    } as unknown as KubernetesObject;
    stored(await registry.update('leases.coordination.k8s.io', lease));
    expect(refusal(await registry.update('leases.coordination.k8s.io', lease))).toMatch(
      /^Invalid: .*metadata\.resourceVersion: .*must be specified for an update$/,
    );
  });

  it('of an immutable config map is refused', async () => {
    const object = stored(await registry.create('configmaps', { ...configMap(), immutable: true }));
    expect(refusal(await registry.update('configmaps', change(object, { data: { a: '2' }, immutable: false })))).toBe(
      'Invalid: ConfigMap "cm" is invalid: [immutable: Forbidden: field is immutable when `immutable` is set, data: Forbidden: field is immutable when `immutable` is set]',
    );
  });

  it('as a dry run answers with the new object and writes nothing', async () => {
    const object = stored(await registry.create('configmaps', configMap()));
    const dry = stored(await registry.update('configmaps', change(object, { data: { a: '2' } }), { dryRun: true }));
    expect(dry['data']).toEqual({ a: '2' });
    expect(await registry.get(key('configmaps', 'cm'))).toMatchObject({ data: { a: '1' } });
  });
});

describe('binding a pod', () => {
  const bind = async (object: KubernetesObject, nodeName: string) =>
    registry.update('pods', change(object, { spec: { nodeName, containers: [] } }), { subresource: 'binding' });

  it('sets its node and changes nothing else, not even its generation', async () => {
    const object = stored(await registry.create('pods', pod('web')));
    const bound = stored(await bind(object, 'node-1'));
    expect(bound).toMatchObject({ ...object, metadata: { generation: 1 }, spec: { nodeName: 'node-1' } });
  });

  it('is refused for a pod that has a node or is being deleted', async () => {
    const bound = stored(await bind(stored(await registry.create('pods', pod('web'))), 'node-1'));
    expect(refusal(await bind(bound, 'node-2'))).toBe(
      'Conflict: Operation cannot be fulfilled on pods/binding "web": pod web is already assigned to node "node-1"',
    );
    await registry.delete(key('pods', 'web'));
    const deleted = await registry.get(key('pods', 'web'));
    expect(refusal(await bind(deleted as KubernetesObject, 'node-2'))).toBe(
      'Conflict: Operation cannot be fulfilled on pods/binding "web": pod web is being deleted, cannot be assigned to a host',
    );
  });
});

describe('deleting', () => {
  async function boundPod(spec: object = {}): Promise<KubernetesObject> {
    return stored(await registry.create('pods', pod('web', { nodeName: 'node-1', ...spec })));
  }

  it('removes an object without finalizers', async () => {
    stored(await registry.create('configmaps', configMap()));
    expect(refusal(await registry.delete(key('configmaps', 'cm')))).toBe('removed');
    expect(refusal(await registry.delete(key('configmaps', 'cm')))).toBe('NotFound: configmaps "cm" not found');
  });

  it('a pod on a node gets its grace period, which later requests can only shorten', async () => {
    await boundPod({ terminationGracePeriodSeconds: 60 });
    const grace = async (gracePeriodSeconds?: number) => {
      const outcome = await registry.delete(
        key('pods', 'web'),
        gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds },
      );
      if (outcome.status === 'refused') throw outcome.error;
      const { deletionTimestamp, deletionGracePeriodSeconds, generation } = outcome.object.metadata;
      return [outcome.status, deletionTimestamp, deletionGracePeriodSeconds, generation];
    };
    expect(await grace()).toEqual(['deleting', '2026-01-01T00:01:00Z', 60, 2]);
    clock.advanceBy(5000);
    store.calls.length = 0;
    expect(await grace(90)).toEqual(['deleting', '2026-01-01T00:01:00Z', 60, 2]);
    expect(store.calls).toEqual(['get pods ns/web']);
    expect(await grace(10)).toEqual(['deleting', '2026-01-01T00:00:10Z', 10, 2]);
    expect((await grace(0))[0]).toBe('removed');
  });

  it('a shorter grace period that has passed by now leaves a second to the runtime of the pod', async () => {
    await boundPod({ terminationGracePeriodSeconds: 60 });
    await registry.delete(key('pods', 'web'));
    clock.advanceBy(20_000);
    const outcome = await registry.delete(key('pods', 'web'), { gracePeriodSeconds: 10 });
    expect(outcome).toMatchObject({
      status: 'deleting',
      object: { metadata: { deletionTimestamp: '2026-01-01T00:00:20Z', deletionGracePeriodSeconds: 1 } },
    });
  });

  it('a pod without a grace period is marked as deleted before it is removed', async () => {
    const object = await boundPod();
    store.calls.length = 0;
    const outcome = await registry.delete(key('pods', 'web'), { gracePeriodSeconds: 0 });
    expect(store.calls).toEqual(['get pods ns/web', 'replace pods ns/web', 'remove pods ns/web']);
    expect(outcome).toMatchObject({
      status: 'removed',
      object: {
        metadata: {
          uid: object.metadata.uid,
          deletionTimestamp: '2026-01-01T00:00:00Z',
          deletionGracePeriodSeconds: 0,
        },
      },
    });
  });

  it('a dry run answers with the pod as marked, and writes nothing', async () => {
    await boundPod();
    const outcome = await registry.delete(key('pods', 'web'), { gracePeriodSeconds: 0, dryRun: true });
    expect(outcome).toMatchObject({ status: 'removed', object: { metadata: { deletionGracePeriodSeconds: 0 } } });
    expect((await registry.get(key('pods', 'web')))?.metadata.deletionTimestamp).toBeUndefined();
  });

  it.each([9_007_199_254_740_991, 2 ** 63 - 1, 1e300])(
    'a pod with a grace period of %d s is deleted by the latest time that can be written',
    async (terminationGracePeriodSeconds) => {
      await boundPod({ terminationGracePeriodSeconds });
      const outcome = await registry.delete(key('pods', 'web'));
      expect(outcome).toMatchObject({
        status: 'deleting',
        object: { metadata: { deletionTimestamp: '9999-12-31T23:59:59Z' } },
      });
      const sooner = await registry.delete(key('pods', 'web'), { gracePeriodSeconds: 10 });
      expect(sooner).toMatchObject({ object: { metadata: { deletionTimestamp: '2026-01-01T00:00:10Z' } } });
    },
  );

  it.each([
    ['that is on no node', {}, undefined],
    ['that has ended', { nodeName: 'node-1' }, { phase: 'Succeeded' }],
  ])('a pod %s is removed at once', async (_, spec, status) => {
    const object = stored(await registry.create('pods', pod('web', spec)));
    if (status) stored(await registry.update('pods', change(object, { status }), { subresource: 'status' }));
    expect(refusal(await registry.delete(key('pods', 'web')))).toBe('removed');
  });

  it('an object with finalizers stays until the last one is removed', async () => {
    stored(
      await registry.create('deployments.apps', {
        ...deployment(),
        metadata: { ...deployment().metadata, finalizers: ['a/b'] },
      }),
    );
    const outcome = await registry.delete(key('deployments.apps', 'web'));
    expect(outcome).toMatchObject({
      status: 'deleting',
      object: { metadata: { deletionGracePeriodSeconds: 0, generation: 2, finalizers: ['a/b'] } },
    });
    const marked = (await registry.get(key('deployments.apps', 'web'))) as KubernetesObject;
    expect(refusal(await registry.update('deployments.apps', changeMeta(marked, { finalizers: ['a/b', 'c/d'] })))).toBe(
      'Invalid: Deployment.apps "web" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"c/d"}',
    );
    stored(await registry.update('deployments.apps', changeMeta(marked, { finalizers: [] })));
    expect(await registry.get(key('deployments.apps', 'web'))).toBeUndefined();
  });

  it.each([
    ['Foreground', undefined, ['foregroundDeletion']],
    ['Orphan', undefined, ['orphan']],
    [undefined, 'Orphan', ['orphan']],
  ] as const)('propagation %s, by default %s, sets %j', async (propagationPolicy, defaultPropagation, finalizers) => {
    stored(await registry.create('deployments.apps', deployment()));
    const outcome = await registry.delete(key('deployments.apps', 'web'), {
      ...(propagationPolicy && { propagationPolicy }),
      ...(defaultPropagation && { defaultPropagation }),
    });
    expect(outcome).toMatchObject({ status: 'deleting', object: { metadata: { finalizers } } });
    // Without a policy the first request's policy stays; Background replaces it.
    store.calls.length = 0;
    await registry.delete(key('deployments.apps', 'web'), { defaultPropagation: 'Background' });
    expect(store.calls).toEqual(['get deployments.apps ns/web']);
    expect(refusal(await registry.delete(key('deployments.apps', 'web'), { propagationPolicy: 'Background' }))).toBe(
      'removed',
    );
  });

  it('preconditions that do not hold are conflicts', async () => {
    const { uid } = stored(await registry.create('configmaps', configMap())).metadata;
    expect(refusal(await registry.delete(key('configmaps', 'cm'), { preconditions: { uid: 'x' } }))).toBe(
      `Conflict: Operation cannot be fulfilled on ConfigMap "cm": the UID in the precondition (x) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
    expect(
      refusal(await registry.delete(key('configmaps', 'cm'), { preconditions: { resourceVersion: '99' } })),
    ).toMatch(/the ResourceVersion in the precondition \(99\) does not match the ResourceVersion in record/);
  });

  it('with the object that the caller read costs one write, and never removes a successor of the same name', async () => {
    const old = stored(await registry.create('configmaps', configMap()));
    store.calls.length = 0;
    expect(refusal(await registry.delete(key('configmaps', 'cm'), { from: old }))).toBe('removed');
    expect(store.calls).toEqual(['remove configmaps ns/cm']);
    stored(await registry.create('configmaps', configMap()));
    expect(refusal(await registry.delete(key('configmaps', 'cm'), { from: old }))).toMatch(/^Conflict: /);
  });

  it.each(['default', 'kube-system', 'kube-public'])('the namespace %s cannot be deleted', async (name) => {
    expect(refusal(await registry.delete(key('namespaces', name, '')))).toBe(
      `Forbidden: namespaces "${name}" is forbidden: this namespace may not be deleted`,
    );
  });

  it('a namespace is terminating until its own finalizer is removed', async () => {
    const outcome = await registry.delete(key('namespaces', 'ns', ''));
    expect(outcome).toMatchObject({
      status: 'deleting',
      object: { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Terminating' } },
    });
    expect(refusal(await registry.delete(key('namespaces', 'ns', '')))).toBe('deleting');
    const marked = (await registry.get(key('namespaces', 'ns', ''))) as KubernetesObject;
    stored(await registry.update('namespaces', change(marked, { spec: {} })));
    expect(await registry.get(key('namespaces', 'ns', ''))).toBeDefined();
    stored(await registry.update('namespaces', change(marked, { spec: {} }), { subresource: 'finalize' }));
    expect(await registry.get(key('namespaces', 'ns', ''))).toBeUndefined();
  });

  it('a dry run answers with the outcome and changes nothing', async () => {
    await boundPod();
    expect(refusal(await registry.delete(key('pods', 'web'), { dryRun: true }))).toBe('deleting');
    expect((await registry.get(key('pods', 'web')))?.metadata.deletionTimestamp).toBeUndefined();
  });
});
