import { beforeEach, describe, expect, it } from 'vitest';
import type { Ids } from '../../lambdas/ports/Ids.ts';
import { createRegistry } from '../../lambdas/registry/createRegistry.ts';
import { createResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import {
  configMap,
  deployment,
  key,
  openTestRegistry,
  pod,
  refusal,
  stored,
  type TestRegistry,
} from '../support/openTestRegistry.ts';

let store: TestRegistry['store'];
let clock: TestRegistry['clock'];
let ids: TestRegistry['ids'];
let registry: TestRegistry['registry'];
beforeEach(async () => {
  ({ store, clock, ids, registry } = await openTestRegistry());
});

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

  it('a pod costs reading the namespace, listing limit ranges, priority classes and quotas, and the create', async () => {
    stored(await registry.create('pods', pod()));
    expect(store.calls).toEqual([
      'get namespaces /ns',
      'list limitranges',
      'list priorityclasses.scheduling.k8s.io',
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
      {
        ...configMap({ name: 'x', annotations: { a: 'x'.repeat(200_000) } }, {}),
        binaryData: { a: Buffer.alloc(1_048_576).toString('base64') },
      },
      'Unknown: etcdserver: request is too large',
    ],
    [
      'data over 1 MiB',
      configMap({ name: 'x' }, { a: 'ä'.repeat(524_287), b: 'xxx' }),
      'Invalid: ConfigMap "x" is invalid: []: Too long: may not be more than 1048576 bytes',
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
