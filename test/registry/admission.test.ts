import { beforeEach, describe, expect, it } from 'vitest';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import type { KubernetesObject, NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import { podUsage, quotaSelects, quotaUsage } from '../../lambdas/objects/quantities/quota.ts';
import { podQosClass } from '../../lambdas/objects/pods/podQosClass.ts';
import { formatAmounts } from '../../lambdas/objects/quantities/resourceAmounts.ts';
import { createRegistry } from '../../lambdas/registry/createRegistry.ts';
import type { Registry, WriteOutcome } from '../../lambdas/registry/Registry.ts';
import { createResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import { FakeObjectStore } from '../support/FakeObjectStore.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';

let store: FakeObjectStore;
let registry: Registry;

beforeEach(async () => {
  store = new FakeObjectStore();
  registry = registryOfProcess();
  await create('namespaces', { kind: 'Namespace', metadata: { name: 'ns' } });
});

function registryOfProcess(): Registry {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  return createRegistry({
    objectStore: store,
    clock,
    ids: new SeededIds(1),
    catalog: createResourceCatalog(resourceEntries),
  });
}

async function create(resource: string, object: Omit<NewObject, 'apiVersion'>): Promise<KubernetesObject> {
  return stored(await registry.create(resource, { apiVersion: 'v1', ...object } as NewObject));
}

function stored(outcome: WriteOutcome<KubernetesObject>): KubernetesObject {
  if (outcome.status === 'refused') throw outcome.error;
  return outcome.object;
}

function pod(name: string, resources: object = {}, spec: object = {}) {
  const containers = [{ name: 'main', image: 'nginx', resources }];
  return { kind: 'Pod', metadata: { name, namespace: 'ns' }, spec: { containers, ...spec } };
}

/** A quota that the quota controller has counted. */
async function quota(hard: Record<string, string>, used: Record<string, string>, spec: object = {}): Promise<void> {
  const metadata = { name: 'q', namespace: 'ns' };
  const created = await create('resourcequotas', { kind: 'ResourceQuota', metadata, spec: { hard, ...spec } });
  const counted = { ...created, status: { hard, used } };
  stored(await registry.update('resourcequotas', counted, { subresource: 'status' }));
}

async function usedNow(): Promise<unknown> {
  const found = await registry.get({ resource: 'resourcequotas', namespace: 'ns', name: 'q' });
  return (found?.['status'] as { used?: unknown } | undefined)?.used;
}

describe('quotas', () => {
  it("a pod over the quota is refused in Kubernetes' words and charges nothing", async () => {
    await quota({ pods: '2' }, { pods: '1' });
    await create('pods', pod('web-1'));
    expect(await usedNow()).toEqual({ pods: '2' });
    await expect(create('pods', pod('web-x'))).rejects.toThrow(
      'pods "web-x" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2',
    );
    expect(await usedNow()).toEqual({ pods: '2' });
  });

  it('the error names exactly the resources that are exceeded', async () => {
    await quota(
      { 'limits.memory': '1Gi', pods: '10', 'requests.cpu': '1' },
      { 'limits.memory': '512Mi', pods: '1', 'requests.cpu': '900m' },
    );
    const resources = { requests: { cpu: '200m' }, limits: { cpu: '1', memory: '1Gi' } };
    await expect(create('pods', pod('web', resources))).rejects.toThrow(
      'pods "web" is forbidden: exceeded quota: q, requested: limits.memory=1Gi,requests.cpu=200m, used: limits.memory=512Mi,requests.cpu=900m, limited: limits.memory=1Gi,requests.cpu=1',
    );
  });

  it('a container that does not specify a limited resource is refused', async () => {
    await quota({ 'limits.cpu': '4', 'requests.memory': '1Gi' }, { 'limits.cpu': '0', 'requests.memory': '0' });
    await expect(create('pods', pod('web'))).rejects.toThrow(
      'pods "web" is forbidden: failed quota: q: must specify limits.cpu for: main; requests.memory for: main',
    );
  });

  it('a quota that was never counted refuses every pod', async () => {
    const metadata = { name: 'q', namespace: 'ns' };
    await create('resourcequotas', { kind: 'ResourceQuota', metadata, spec: { hard: { pods: '2' } } });
    await expect(create('pods', pod('web'))).rejects.toThrow(
      'pods "web" is forbidden: status unknown for quota: q, resources: pods',
    );
  });

  it('concurrent charges of two processes add up', async () => {
    await quota({ pods: '10' }, { pods: '0' });
    store.beforeWrite = async () => {
      stored(await registryOfProcess().create('pods', { apiVersion: 'v1', ...pod('other') }));
    };
    await create('pods', pod('web'));
    expect(await usedNow()).toEqual({ pods: '2' });
  });

  it('other objects are counted by their number', async () => {
    await quota({ 'count/configmaps': '1', configmaps: '5' }, { 'count/configmaps': '0', configmaps: '0' });
    const metadata = (name: string) => ({ kind: 'ConfigMap', metadata: { name, namespace: 'ns' } });
    await create('configmaps', metadata('a'));
    await expect(create('configmaps', metadata('b'))).rejects.toThrow(
      'configmaps "b" is forbidden: exceeded quota: q, requested: count/configmaps=1, used: count/configmaps=1, limited: count/configmaps=1',
    );
  });

  it('a dry run charges nothing', async () => {
    await quota({ pods: '2' }, { pods: '1' });
    stored(await registry.create('pods', { apiVersion: 'v1', ...pod('web') }, { dryRun: true }));
    expect(await usedNow()).toEqual({ pods: '1' });
  });

  it('a dry run over the quota is refused as the create would be', async () => {
    await quota({ pods: '1' }, { pods: '1' });
    const draft = { apiVersion: 'v1', ...pod('web') } as NewObject;
    const outcome = await registry.create('pods', draft, { dryRun: true });
    expect(outcome).toMatchObject({
      status: 'refused',
      error: {
        message: 'pods "web" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
      },
    });
  });

  const cpu = (amount: string, more: object = {}) => ({ name: 'c', resources: { requests: { cpu: amount } }, ...more });
  it.each([
    ['the sum of its containers', { containers: [cpu('1'), cpu('500m')] }, '1500m'],
    ['its largest init container', { containers: [cpu('1')], initContainers: [cpu('3'), cpu('2')] }, '3'],
    [
      'its sidecars in addition to both',
      { containers: [cpu('1')], initContainers: [cpu('1', { restartPolicy: 'Always' }), cpu('2')] },
      '3',
    ],
    ['its overhead too', { containers: [cpu('1')], overhead: { cpu: '250m' } }, '1250m'],
  ])('a pod uses %s', (_, spec, expected) => {
    const object = { metadata: {}, spec, status: {} } as unknown as Parameters<typeof podUsage>[0];
    expect(formatAmounts(podUsage(object, 0))).toEqual({
      'count/pods': '1',
      pods: '1',
      cpu: expected,
      'requests.cpu': expected,
    });
  });

  it.each([
    ['ended', { status: { phase: 'Failed' } }],
    ['should have been gone by now', { metadata: { deletionTimestamp: '1970-01-01T00:00:01Z' } }],
  ])('a pod that %s uses nothing but its object count', (_, object) => {
    const ended = { metadata: {}, spec: { containers: [cpu('1')] }, ...object } as unknown as KubernetesObject;
    expect(formatAmounts(quotaUsage('pods', ended, 2000))).toEqual({ 'count/pods': '1' });
  });

  it.each([
    [{}, {}, true],
    [{ scopes: ['BestEffort'] }, { containers: [{ name: 'a' }] }, true],
    [{ scopes: ['NotBestEffort'] }, { containers: [{ name: 'a' }] }, false],
    [{ scopes: ['NotBestEffort'] }, { containers: [cpu('1')] }, true],
    [{ scopes: ['Terminating'] }, { containers: [], activeDeadlineSeconds: 5 }, true],
    [{ scopes: ['NotTerminating'] }, { containers: [], activeDeadlineSeconds: 5 }, false],
    [
      { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] } },
      { containers: [], priorityClassName: 'high' },
      true,
    ],
  ])('the scopes %j select the pod %j: %j', (spec, podSpec, expected) => {
    expect(quotaSelects(spec, 'pods', { spec: podSpec } as unknown as KubernetesObject)).toBe(expected);
  });
});

describe('a namespace that is deleted while an object in it is being created', () => {
  async function createSlowly(tookMs: number) {
    const clock = new VirtualClock(Date.UTC(2026, 0, 1));
    const list = store.list.bind(store);
    store.list = async (resource, options) => {
      await registry.delete({ resource: 'namespaces', namespace: '', name: 'ns' });
      clock.advanceBy(tookMs);
      return await list(resource, options);
    };
    const stalling = createRegistry({
      objectStore: store,
      clock,
      ids: new SeededIds(2),
      catalog: createResourceCatalog(resourceEntries),
    });
    return await stalling.create('pods', { apiVersion: 'v1', ...pod('late') });
  }

  it('gets the object if admission was quick: the deletion of the namespace waits for admitted objects', async () => {
    expect((await createSlowly(100)).status).toBe('stored');
  });

  it('does not get the object if admission took longer than the deletion waits', async () => {
    const outcome = await createSlowly(600);
    expect(outcome.status === 'refused' && outcome.error.message).toContain('because it is being terminated');
  });
});

describe('limit ranges', () => {
  async function limit(item: object): Promise<void> {
    const spec = { limits: [{ type: 'Container', ...item }] };
    await create('limitranges', { kind: 'LimitRange', metadata: { name: 'l', namespace: 'ns' }, spec });
  }

  it('fill in the defaults of a container and list them in an annotation', async () => {
    await limit({ default: { cpu: '1', memory: '1Gi' }, defaultRequest: { cpu: '100m' } });
    const object = await create('pods', pod('web', { limits: { memory: '2Gi' } }));
    const [container] = (object['spec'] as { containers: { resources: unknown }[] }).containers;
    expect(container?.resources).toEqual({
      limits: { cpu: '1', memory: '2Gi' },
      requests: { cpu: '100m', memory: '2Gi' },
    });
    expect(object.metadata.annotations).toEqual({
      'kubernetes.io/limit-ranger':
        'LimitRanger plugin set: cpu request for container main; cpu limit for container main',
    });
  });

  it.each([
    [
      { max: { cpu: '1' }, default: { cpu: '1' } },
      { limits: { cpu: '2' } },
      'maximum cpu usage per Container is 1, but limit is 2',
    ],
    [
      { min: { memory: '1Gi' } },
      { requests: { memory: '1Mi' } },
      'minimum memory usage per Container is 1Gi, but request is 1Mi',
    ],
    [
      { maxLimitRequestRatio: { cpu: '2' } },
      { requests: { cpu: '1' }, limits: { cpu: '3' } },
      'cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000',
    ],
  ])('%j refuses %j', async (item, resources, why) => {
    await limit(item);
    await expect(create('pods', pod('web', resources))).rejects.toThrow(`pods "web" is forbidden: ${why}`);
  });
});

describe('pods', () => {
  it.each([
    ['BestEffort', {}],
    ['Burstable', { requests: { cpu: '1' } }],
    ['Burstable', { limits: { cpu: '1' } }],
    ['Guaranteed', { limits: { cpu: '1', memory: '1Gi' } }],
    ['Guaranteed', { requests: { cpu: '1000m' }, limits: { cpu: '1', memory: '1Gi' } }],
    ['Burstable', { requests: { cpu: '500m' }, limits: { cpu: '1', memory: '1Gi' } }],
  ])('are %s with %j', (expected, resources) => {
    expect(podQosClass({ containers: [{ name: 'a', resources }] })).toBe(expected);
  });

  it('keep their own tolerations', async () => {
    const tolerations = [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', tolerationSeconds: 5 }];
    const object = await create('pods', pod('web', {}, { tolerations: [{ ...tolerations[0], effect: 'NoExecute' }] }));
    const keys = (object['spec'] as { tolerations: { key: string; tolerationSeconds: number }[] }).tolerations;
    expect(keys.map(({ tolerationSeconds }) => tolerationSeconds)).toEqual([5, 300]);
  });

  it.each([
    ['system-node-critical', 2_000_001_000],
    ['', 0],
  ])('of the priority class %j have the priority %d', async (priorityClassName, priority) => {
    expect((await create('pods', pod('web', {}, { priorityClassName })))['spec']).toMatchObject({ priority });
  });

  it('of an unknown priority class are refused', async () => {
    await expect(create('pods', pod('web', {}, { priorityClassName: 'high' }))).rejects.toThrow(
      'pods "web" is forbidden: no PriorityClass with name high was found',
    );
  });
});
