import { beforeEach, describe, expect, test } from 'vitest';
import { openEmbeddedPorts } from '../../../infra/local/openEmbeddedPorts.ts';
import { MemoryJournal } from '../../../lambdas/adapters/embedded/MemoryJournal.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import type { KubernetesObject, NewObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { createRegistry } from '../../../lambdas/registry/createRegistry.ts';
import type { Registry } from '../../../lambdas/registry/Registry.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';

type Members = Record<string, unknown>;

const PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const NAME = expect.stringMatching(/^kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
const MOUNT = { name: NAME, readOnly: true, mountPath: PATH };
const VOLUME = {
  name: NAME,
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode: 420,
  },
};

let registry: Registry;
let count = 0;
const open = (admitsServiceAccounts: boolean) => {
  const { ports } = openEmbeddedPorts({ journal: new MemoryJournal(), onAdded: () => {} });
  const catalog = createResourceCatalog(resourceEntries);
  return createRegistry({ ...ports, catalog, admitsServiceAccounts });
};

async function create(resource: string, object: NewObject): Promise<KubernetesObject> {
  const outcome = await registry.create(resource, object);
  if (outcome.status === 'refused') throw outcome.error;
  return outcome.object;
}

const account = (name: string, members: Members = {}) =>
  create('serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, namespace: 'lab' },
    ...members,
  });

async function createPod(spec: Members = {}, metadata: Members = {}): Promise<NonNullable<Pod['spec']>> {
  count += 1;
  const containers = [{ name: 'main', image: 'i' }];
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `p${count}`, namespace: 'lab', ...metadata },
    spec: { containers, ...spec },
  };
  return ((await create('pods', pod)) as Pod).spec as NonNullable<Pod['spec']>;
}

const prepare = async () => {
  registry = open(true);
  await create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lab' } });
};

describe('the service account of a new pod', () => {
  beforeEach(prepare);

  test('is default, even if that is about to be created, and its token is mounted in every container', async () => {
    const spec = await createPod({ initContainers: [{ name: 'first', image: 'i' }] });
    expect(spec).toMatchObject({ serviceAccountName: 'default', serviceAccount: 'default', volumes: [VOLUME] });
    expect(spec.initContainers?.[0]?.volumeMounts).toEqual([MOUNT]);
    expect(spec.containers[0]?.volumeMounts).toEqual([MOUNT]);
    expect(spec.containers[0]?.volumeMounts?.[0]?.name).toBe(spec.volumes?.[0]?.name);
  });

  test('must exist if the pod names it', async () => {
    await expect(createPod({ serviceAccountName: 'x' }, { name: 'one' })).rejects.toThrow(
      'pods "one" is forbidden: error looking up service account lab/x: serviceaccount "x" not found',
    );
    await account('x');
    expect(await createPod({ serviceAccountName: 'x' })).toMatchObject({ serviceAccountName: 'x' });
  });

  test.each([
    ['neither says', undefined, undefined, true],
    ['the account says no', false, undefined, false],
    ['the pod says no', undefined, false, false],
    ['the pod says yes, against the account', false, true, true],
    ['the pod says no, against the account', true, false, false],
  ])('mounts its token, when %s: account %s, pod %s', async (_, ofAccount, ofPod, isMounted) => {
    await account('x', ofAccount === undefined ? {} : { automountServiceAccountToken: ofAccount });
    const spec = await createPod({
      serviceAccountName: 'x',
      ...(ofPod !== undefined && { automountServiceAccountToken: ofPod }),
    });
    expect(spec.volumes !== undefined).toBe(isMounted);
    expect(spec.containers[0]?.volumeMounts !== undefined).toBe(isMounted);
  });

  test('keeps the other volumes and mounts, and leaves a container alone that has something at the place', async () => {
    const mine = { name: 'mine', mountPath: PATH };
    const other = { name: 'mine', mountPath: '/data' };
    const containers = [
      { name: 'a', image: 'i', volumeMounts: [mine] },
      { name: 'b', image: 'i', volumeMounts: [other] },
    ];
    const spec = await createPod({ volumes: [{ name: 'mine', emptyDir: {} }], containers });
    expect(spec.volumes).toEqual([{ name: 'mine', emptyDir: {} }, VOLUME]);
    expect(spec.containers.map(({ volumeMounts }) => volumeMounts)).toEqual([[mine], [other, MOUNT]]);
  });

  test('needs no volume if every container has something at the place', async () => {
    const containers = [{ name: 'a', image: 'i', volumeMounts: [{ name: 'mine', mountPath: PATH }] }];
    const spec = await createPod({ volumes: [{ name: 'mine', emptyDir: {} }], containers });
    expect(spec.volumes).toEqual([{ name: 'mine', emptyDir: {} }]);
  });

  test('uses a token volume that the pod has already', async () => {
    const volume = { ...VOLUME, name: 'kube-api-access-22222' };
    const spec = await createPod({ volumes: [volume] });
    expect(spec.volumes).toEqual([volume]);
    expect(spec.containers[0]?.volumeMounts).toEqual([{ ...MOUNT, name: 'kube-api-access-22222' }]);
  });

  test('gives the secrets for pulling images to a pod that names none', async () => {
    await account('x', { imagePullSecrets: [{ name: 'registry' }] });
    expect((await createPod({ serviceAccountName: 'x' })).imagePullSecrets).toEqual([{ name: 'registry' }]);
    const own = { serviceAccountName: 'x', imagePullSecrets: [{ name: 'own' }] };
    expect((await createPod(own)).imagePullSecrets).toEqual([{ name: 'own' }]);
  });

  test('is shared by pods: equal parts are the same', async () => {
    const [one, two] = [await createPod(), await createPod()];
    expect(one.volumes).toBe(two.volumes);
    expect(one.containers[0]?.volumeMounts).toBe(two.containers[0]?.volumeMounts);
  });

  test('is refused for a mirror pod, which gets no token', async () => {
    const mirror = { annotations: { 'kubernetes.io/config.mirror': 'abc' } };
    await expect(createPod({ serviceAccountName: 'x', nodeName: 'n' }, mirror)).rejects.toThrow(
      'a mirror pod may not reference service accounts',
    );
    expect((await createPod({ nodeName: 'n' }, mirror)).volumes).toBeUndefined();
  });
});

test('without the controller of service accounts, a pod only names its account', async () => {
  registry = open(false);
  await create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lab' } });
  const spec = await createPod({ serviceAccountName: 'x' });
  expect({ name: spec.serviceAccountName, volumes: spec.volumes }).toEqual({ name: 'x', volumes: undefined });
});
