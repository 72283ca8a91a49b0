import { expect, test } from 'vitest';
import { FUNCTIONS, WORK_QUEUE } from '../../infra/topology.ts';
import { EMBEDDED_SYNC_CONFIG } from '../../lambdas/functions/sync/SyncConfig.ts';

const { syncTimeoutMs, lockMarginMs, renewAfterReceives } = EMBEDDED_SYNC_CONFIG;

test('a sync ends before its function does, and its function before its lock', () => {
  expect(syncTimeoutMs).toBeLessThan(FUNCTIONS.sync.timeoutMs);
  expect(FUNCTIONS.sync.timeoutMs).toBeLessThan(syncTimeoutMs + lockMarginMs);
});

test('a lock ends before the message of a worker that died comes again', () => {
  expect(syncTimeoutMs + lockMarginMs).toBeLessThan(WORK_QUEUE.visibilityTimeoutMs);
});

test('a message is replaced by a fresh one well before the queue calls it dead', () => {
  expect(renewAfterReceives).toBeLessThanOrEqual(WORK_QUEUE.maxReceives / 2);
});

test('each function goes by its own name', () => {
  for (const [name, spec] of Object.entries(FUNCTIONS)) expect(spec.name).toBe(name);
});
