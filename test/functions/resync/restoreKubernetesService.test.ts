import { beforeEach, expect, test } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import { bootstrapCluster } from '../../../lambdas/functions/resync/bootstrapCluster.ts';
import { restoreKubernetesService } from '../../../lambdas/functions/resync/restoreKubernetesService.ts';
import { createRegistry } from '../../../lambdas/registry/createRegistry.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import type { Registry } from '../../../lambdas/registry/Registry.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { FakeObjectStore } from '../../support/FakeObjectStore.ts';

const SERVED = resourceEntries.map(({ groupResource }) => groupResource);
const RESTORED = ['services', 'endpoints', 'endpointslices.discovery.k8s.io'].filter((one) => SERVED.includes(one));
const PLACE = { namespace: 'default', name: 'kubernetes' };

let store: FakeObjectStore;
let registry: Registry;

beforeEach(() => {
  store = new FakeObjectStore();
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  registry = createRegistry({
    objectStore: store,
    clock,
    ids: new SeededIds(1),
    catalog: createResourceCatalog(resourceEntries),
  });
});

const has = async (resource: string, place: { namespace: string; name: string } = PLACE) =>
  (await store.get({ resource, ...place })) !== undefined;

test('the Service and its endpoints come back with their namespace, which somebody removed', async () => {
  expect(await restoreKubernetesService(registry, SERVED)).toEqual([]);
  expect(await has('namespaces', { namespace: '', name: 'default' })).toBe(true);
  for (const resource of RESTORED) expect(await has(resource), resource).toBe(true);
  expect(await restoreKubernetesService(registry, SERVED)).toEqual([]);
});

test('the endpoints say where the server is, also after it has moved, and are written only then', async () => {
  const said = async () => {
    const [endpoints, slice] = await Promise.all(
      RESTORED.slice(1).map((resource) => store.get({ resource, ...PLACE })),
    );
    return {
      endpoints: endpoints?.['subsets'],
      slice: [slice?.['endpoints'], slice?.['ports']],
      versions: [endpoints?.metadata.resourceVersion, slice?.metadata.resourceVersion],
    };
  };
  const at = (ip: string, number: number) => {
    const port = { name: 'https', protocol: 'TCP', port: number };
    return {
      endpoints: [{ addresses: [{ ip }], ports: [port] }],
      slice: [[{ addresses: [ip], conditions: { ready: true } }], [port]],
    };
  };
  await restoreKubernetesService(registry, SERVED);
  expect(await said()).toMatchObject(at('192.0.2.1', 6443));
  await restoreKubernetesService(registry, SERVED, { ip: '10.0.0.5', port: 8001 });
  const moved = await said();
  expect(moved).toMatchObject(at('10.0.0.5', 8001));
  expect(await restoreKubernetesService(registry, SERVED, { ip: '10.0.0.5', port: 8001 })).toEqual([]);
  expect(await said()).toEqual(moved);
});

test('while the namespace is being deleted they are passed over, and everything else is still created', async () => {
  const created = await registry.create('namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'default', finalizers: ['example.com/wait'] },
  });
  if (created.status === 'refused') throw created.error;
  await store.replace('namespaces', {
    ...created.object,
    metadata: { ...created.object.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
  });
  const refused = await restoreKubernetesService(registry, SERVED);
  expect(refused).toHaveLength(RESTORED.length);
  for (const { message } of refused) expect(message).toContain('because it is being terminated');
  await bootstrapCluster(registry, SERVED, [{}], 0);
  expect(await has('nodes', { namespace: '', name: 'driftless-node-1' })).toBe(true);
});
