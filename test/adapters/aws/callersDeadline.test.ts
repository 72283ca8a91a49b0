import { expect, test } from 'vitest';
import { DynamoDbCalls } from '../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbObjectStore } from '../../../lambdas/adapters/aws/objects/DynamoDbObjectStore.ts';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import type { Controller, SyncContext } from '../../../lambdas/controllers/Controller.ts';
import { guardWrites, LAST_CALLS_END_MS } from '../../../lambdas/controllers/guardWrites.ts';
import { StoreTimeoutError } from '../../../lambdas/ports/ObjectStore.ts';
import type { WorkKey } from '../../../lambdas/ports/WorkKey.ts';
import { createRegistry, createRegistryUntil } from '../../../lambdas/registry/createRegistry.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { limitLifetime } from '../../../lambdas/rest/request/limitLifetime.ts';

const T = Date.UTC(2026, 0, 1);
const KEY = { resource: 'configmaps', namespace: 'default', name: 'a' };

/** The registry over a DynamoDB that never answers, and the times at which it was asked. */
function open() {
  const clock = new VirtualClock(T);
  const askedAtMs: number[] = [];
  const send = () => {
    askedAtMs.push(clock.now() - T);
    return new Promise<never>(() => {});
  };
  const calls = new DynamoDbCalls({ client: { send }, clock, ids: new SeededIds(1) });
  const tables = { objects: 'objects', versions: 'versions', namespaces: 'namespaces' };
  const objectStore = new DynamoDbObjectStore({ calls, tables });
  const parts = { objectStore, clock, ids: new SeededIds(2), catalog: createResourceCatalog(resourceEntries) };
  return { clock, askedAtMs, objectStore, registry: createRegistry(parts), registryUntil: createRegistryUntil(parts) };
}

/** Lets time pass until the promise is rejected. Returns the error, and when that was. */
async function endOf(clock: VirtualClock, work: Promise<unknown>) {
  const over = new AbortController();
  const ended = work.then(
    () => {
      over.abort();
      throw new Error('it was answered');
    },
    (error: unknown) => {
      over.abort();
      return { error, atMs: clock.now() - T };
    },
  );
  while (!over.signal.aborted) {
    await new Promise((resolve) => setImmediate(resolve));
    if (!over.signal.aborted) clock.advanceBy(100);
  }
  // Whatever would still be sent is sent now.
  clock.advanceBy(60_000);
  return await ended;
}

test('a request that DynamoDB never answers ends with its own time, and nothing is sent afterwards', async () => {
  const { clock, askedAtMs, registry, registryUntil } = open();
  const bounded = limitLifetime(registry, registryUntil, clock, 5_000);
  const { error, atMs } = await endOf(clock, bounded.get(KEY));
  expect(error).toBeInstanceOf(StoreTimeoutError);
  expect(atMs).toBeLessThanOrEqual(5_000);
  expect(Math.max(...askedAtMs)).toBeLessThan(5_000);
});

test('without a time of its own it would end after ten seconds', async () => {
  const { clock, registry } = open();
  expect((await endOf(clock, registry.get(KEY))).atMs).toBeGreaterThan(5_000);
});

test.each<[string, (context: SyncContext) => Promise<unknown>]>([
  ['registry', ({ registry }) => registry.get(KEY)],
  ['object store', ({ objectStore }) => objectStore.get(KEY)],
])('a sync that DynamoDB never answers through its %s ends soon after its deadline', async (_, read) => {
  const { clock, askedAtMs, registry, registryUntil, objectStore } = open();
  const sync = (__: WorkKey, context: SyncContext) => read(context);
  const controller = { name: 'pod', sync } as unknown as Controller<SyncContext>;
  const guarded = guardWrites(controller, { registry, registryUntil, objectStore, clock });
  // The deadline passed long ago, as after a function stood still: only the time for the last calls is left.
  const deadlineMs = T - LAST_CALLS_END_MS + 2_000;
  const start = { nowMs: T, deadlineMs, item: { failures: 0 }, recordIntent: async () => {} };
  const { atMs } = await endOf(clock, guarded.sync({ controller: 'pod', namespace: 'default', name: 'a' }, start));
  expect(atMs).toBeLessThanOrEqual(2_000);
  expect(Math.max(...askedAtMs)).toBeLessThan(2_000);
});
