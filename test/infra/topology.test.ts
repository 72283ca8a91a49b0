import { expect, test } from 'vitest';
import { FUNCTIONS, WORK_QUEUE } from '../../infra/topology.ts';
import { LAST_CALLS_END_MS } from '../../lambdas/controllers/guardWrites.ts';
import { EMBEDDED_SYNC_CONFIG } from '../../lambdas/functions/sync/SyncConfig.ts';
import { WRITE_LIFETIME_MS } from '../../lambdas/ports/ObjectStore.ts';

const { syncTimeoutMs, lockMarginMs, renewAfterReceives, messageLastsMs } = EMBEDDED_SYNC_CONFIG;

test('a sync ends before its function`s timeout, and the function before the sync`s lock', () => {
  expect(syncTimeoutMs).toBeLessThan(FUNCTIONS.sync.timeoutMs);
  expect(FUNCTIONS.sync.timeoutMs).toBeLessThan(syncTimeoutMs + lockMarginMs);
});

test('the last write of a sync has had its effect before the lock ends', () => {
  expect(LAST_CALLS_END_MS).toBeGreaterThan(WRITE_LIFETIME_MS);
  expect(LAST_CALLS_END_MS).toBeLessThan(lockMarginMs);
});

test('a lock ends before the message of a dead worker is delivered again', () => {
  expect(syncTimeoutMs + lockMarginMs).toBeLessThan(WORK_QUEUE.visibilityTimeoutMs);
});

test('a message is no longer relied on well before it is delivered again', () => {
  expect(messageLastsMs).toBeGreaterThanOrEqual(FUNCTIONS.sync.timeoutMs);
  expect(messageLastsMs).toBeLessThanOrEqual(WORK_QUEUE.visibilityTimeoutMs / 2);
});

test('a message is replaced by a new one well before it counts as a dead letter', () => {
  expect(renewAfterReceives).toBeLessThanOrEqual(WORK_QUEUE.maxReceives / 2);
});

test('the name of each function is its key in the table', () => {
  for (const [name, spec] of Object.entries(FUNCTIONS)) expect(spec.name).toBe(name);
});
