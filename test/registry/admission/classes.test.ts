import { beforeEach, describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Registry } from '../../../lambdas/registry/Registry.ts';
import { openTestPorts } from '../../support/openTestPorts.ts';

type Members = Record<string, unknown>;

let registry: Registry;
beforeEach(async () => {
  ({ registry } = openTestPorts());
  await create('namespaces', { kind: 'Namespace', apiVersion: 'v1' }, 'default');
});

/** Returns the stored object, or the message of the refusal. */
async function create(
  resource: string,
  members: Members,
  name: string,
  metadata: Members = {},
): Promise<KubernetesObject | string> {
  const object = { apiVersion: 'v1', kind: 'Any', ...members, metadata: { name, ...metadata } };
  const outcome = await registry.create<KubernetesObject>(resource, object);
  return outcome.status === 'refused' ? outcome.error.message : outcome.object;
}

const createPod = (spec: Members) =>
  create('pods', { spec: { containers: [{ name: 'web', image: 'nginx:1' }], ...spec } }, 'web', {
    namespace: 'default',
  });
const createPriority = (name: string, members: Members) => create('priorityclasses.scheduling.k8s.io', members, name);
const createRuntime = (members: Members) =>
  create('runtimeclasses.node.k8s.io', { handler: 'runsc', ...members }, 'gvisor');

describe('the priority of a new pod', () => {
  test.each<[string, Members, Members | string]>([
    ['is 0 without a class', {}, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
    ['comes from its class', { priorityClassName: 'high' }, { priority: 1000, preemptionPolicy: 'Never' }],
    ['may be repeated', { priorityClassName: 'high', priority: 1000 }, { priority: 1000 }],
    [
      'of a system class needs nothing stored',
      { priorityClassName: 'system-node-critical' },
      { priority: 2_000_001_000 },
    ],
    [
      'needs a class that exists',
      { priorityClassName: 'none' },
      'pods "web" is forbidden: no PriorityClass with name none was found',
    ],
    [
      'cannot differ from its class',
      { priorityClassName: 'high', priority: 5 },
      'pods "web" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 1000 from the given PriorityClass name',
    ],
    [
      'has the policy of its class',
      { priorityClassName: 'high', preemptionPolicy: 'PreemptLowerPriority' },
      'pods "web" is forbidden: the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod spec; priority admission controller computed Never from the given PriorityClass name',
    ],
  ])('%s', async (_, spec, expected) => {
    await createPriority('high', { value: 1000, preemptionPolicy: 'Never' });
    const pod = await createPod(spec);
    expect(typeof pod === 'string' ? pod : pod['spec']).toEqual(
      typeof expected === 'string' ? expected : expect.objectContaining(expected),
    );
  });

  test('without a class is that of the global default, as soon as there is one, and as long', async () => {
    expect(await createPod({})).toMatchObject({ spec: { priority: 0 } });
    await createPriority('normal', { value: 10, globalDefault: true, preemptionPolicy: 'Never' });
    const remove = () =>
      registry.delete({ resource: 'pods', namespace: 'default', name: 'web' }, { gracePeriodSeconds: 0 });
    await remove();
    expect(await createPod({})).toMatchObject({
      spec: { priority: 10, priorityClassName: 'normal', preemptionPolicy: 'Never' },
    });
    await remove();
    await registry.delete({ resource: 'priorityclasses.scheduling.k8s.io', namespace: '', name: 'normal' });
    expect(await createPod({})).toMatchObject({ spec: { priority: 0 } });
  });

  test('has one class at most as the global default, also after a change', async () => {
    await createPriority('normal', { value: 10, globalDefault: true });
    const other = await createPriority('other', { value: 5 });
    if (typeof other === 'string') throw new Error(other);
    const changed = await registry.update('priorityclasses.scheduling.k8s.io', { ...other, globalDefault: true });
    expect(changed).toMatchObject({
      status: 'refused',
      error: { message: expect.stringContaining('PriorityClass normal is already marked as default') },
    });
    const normal = await registry.get({ resource: 'priorityclasses.scheduling.k8s.io', namespace: '', name: 'normal' });
    expect(
      await registry.update('priorityclasses.scheduling.k8s.io', { ...normal, description: 'ours' } as never),
    ).toMatchObject({
      status: 'stored',
    });
  });

  test('has one class at most as the global default', async () => {
    await createPriority('normal', { value: 10, globalDefault: true });
    expect(await createPriority('other', { value: 5, globalDefault: true })).toBe(
      'priorityclasses.scheduling.k8s.io "other" is forbidden: PriorityClass normal is already marked as default. Only one default can exist',
    );
  });
});

describe('the runtime class of a new pod', () => {
  test('must exist', async () => {
    expect(await createPod({ runtimeClassName: 'gvisor' })).toBe(
      'pods "web" is forbidden: pod rejected: RuntimeClass "gvisor" not found',
    );
  });

  test('gives it its overhead and its place', async () => {
    const tolerations = [{ key: 'gvisor', operator: 'Exists' }];
    await createRuntime({
      overhead: { podFixed: { cpu: '100m' } },
      scheduling: { nodeSelector: { sandbox: 'yes' }, tolerations },
    });
    const pod = await createPod({ runtimeClassName: 'gvisor', nodeSelector: { disk: 'ssd' } });
    expect(pod).toMatchObject({ spec: { overhead: { cpu: '100m' }, nodeSelector: { disk: 'ssd', sandbox: 'yes' } } });
    expect((pod as unknown as { spec: { tolerations: unknown[] } }).spec.tolerations[0]).toEqual(tolerations[0]);
  });

  test.each<[Members, Members, string]>([
    [{}, { overhead: { cpu: '1' } }, 'Pod Overhead set without corresponding RuntimeClass defined Overhead'],
    [
      { overhead: { podFixed: { cpu: '2' } } },
      { overhead: { cpu: '1' } },
      "Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    ],
    [
      { scheduling: { nodeSelector: { a: 'b' } } },
      { nodeSelector: { a: 'c' } },
      'conflict: runtimeClass.scheduling.nodeSelector[a] = b; pod.spec.nodeSelector[a] = c',
    ],
  ])('refuses a pod that contradicts it', async (members, spec, problem) => {
    await createRuntime(members);
    expect(await createPod({ runtimeClassName: 'gvisor', ...spec })).toBe(
      `pods "web" is forbidden: pod rejected: ${problem}`,
    );
  });
});

describe('the default class', () => {
  const isDefault = (kind: string) => ({ annotations: { [`${kind}.kubernetes.io/is-default-class`]: 'true' } });
  const createClaim = (spec: Members = {}) =>
    create(
      'persistentvolumeclaims',
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec } },
      'data',
      { namespace: 'default' },
    );

  test('of storage is given to a claim that names none', async () => {
    await create('storageclasses.storage.k8s.io', { provisioner: 'a' }, 'slow');
    await create('storageclasses.storage.k8s.io', { provisioner: 'a' }, 'fast', isDefault('storageclass'));
    expect(await createClaim()).toMatchObject({ spec: { storageClassName: 'fast' } });
  });

  test('of storage is not given to a claim that wants none', async () => {
    await create('storageclasses.storage.k8s.io', { provisioner: 'a' }, 'fast', isDefault('storageclass'));
    expect(await createClaim({ storageClassName: '' })).toMatchObject({ spec: { storageClassName: '' } });
  });

  test.each([
    [{}, { ingressClassName: 'nginx' }],
    [
      { annotations: { 'kubernetes.io/ingress.class': 'traefik' } },
      expect.not.objectContaining({ ingressClassName: 'nginx' }),
    ],
  ])('of ingresses is given to one that names none: %j', async (metadata, spec) => {
    await create(
      'ingressclasses.networking.k8s.io',
      { spec: { controller: 'a.b/c' } },
      'nginx',
      isDefault('ingressclass'),
    );
    const defaultBackend = { service: { name: 'web', port: { number: 80 } } };
    const ingress = await create('ingresses.networking.k8s.io', { spec: { defaultBackend } }, 'web', {
      namespace: 'default',
      ...metadata,
    });
    expect(ingress).toMatchObject({ spec });
  });
});
