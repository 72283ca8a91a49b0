import { expect, test } from 'vitest';
import { createGarbageCollector } from '../../../lambdas/controllers/garbagecollector/createGarbageCollector.ts';
import { encodeCollectKey } from '../../../lambdas/controllers/garbagecollector/keysForChange.ts';
import { guardWrites } from '../../../lambdas/controllers/guardWrites.ts';
import { runSync } from '../../../lambdas/functions/sync/runSync.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import type { Registry } from '../../../lambdas/registry/Registry.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

const SYNC_MS = 30_000;
const DEPENDENTS = 400;
const DELETION_MS = 100;

test('a sync with more to collect than it has time for ends before its deadline, and leaves the rest to the next', async () => {
  const bench = new ControllerBench();
  const { clock, objectStore } = bench;
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'gone' };
  for (let n = 0; n < DEPENDENTS; n += 1) {
    const metadata = { name: `dependent-${n}`, namespace: 'default', ownerReferences: [owner] };
    await bench.create('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  }
  const left = async () => (await objectStore.list('configmaps')).items.length;
  const registry: Registry = {
    get: (key) => bench.registry.get(key),
    list: (resource, options) => bench.registry.list(resource, options),
    create: (resource, ...rest) => bench.registry.create(resource, ...rest),
    update: (resource, ...rest) => bench.registry.update(resource, ...rest),
    delete: async (key, options) => {
      clock.advanceBy(DELETION_MS);
      return await bench.registry.delete(key, options);
    },
  };
  const collector = createGarbageCollector({ objectStore, resources: resourceEntries });
  const guarded = guardWrites(collector, { registry, objectStore, clock });
  const key = encodeCollectKey({ resource: 'configmaps', namespace: 'default', name: 'gone', uid: 'gone' });
  const sync = async () => {
    const deadlineMs = clock.now() + SYNC_MS;
    const start = { deadlineMs, item: { failures: 0 }, recordIntent: async () => {} };
    const ended = await runSync({ clock, workClock: clock }, guarded, key, start);
    return [ended.status, ended.status === 'ended' && ended.report.outcome] as const;
  };
  expect(await sync()).toEqual(['ended', { status: 'requeueAfter', delayMs: 0 }]);
  expect(await left()).toBeLessThan(DEPENDENTS / 2);
  expect(await left()).toBeGreaterThan(0);
  expect(await sync()).toEqual(['ended', { status: 'done' }]);
  expect(await left()).toBe(0);
});
