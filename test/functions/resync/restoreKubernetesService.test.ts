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
