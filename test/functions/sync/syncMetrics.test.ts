import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FUNCTIONS, WORK_QUEUE } from '../../../infra/topology.ts';
import { createLog } from '../../../lambdas/functions/createLog.ts';
import { CLOUD_SYNC_CONFIG } from '../../../lambdas/functions/sync/SyncConfig.ts';
import { createSyncMetrics } from '../../../lambdas/functions/sync/createSyncMetrics.ts';
import type { SyncRecord } from '../../../lambdas/explain/SyncHistory.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('the times of a sync in the cloud', () => {
  it("end in this order: the sync, its function, its lock, its message's visibility timeout", () => {
    const { syncTimeoutMs, lockMarginMs, clockMarginMs, renewAfterReceives } = CLOUD_SYNC_CONFIG;
    expect(syncTimeoutMs).toBeLessThan(FUNCTIONS.sync.timeoutMs);
    expect(FUNCTIONS.sync.timeoutMs + clockMarginMs).toBeLessThan(syncTimeoutMs + lockMarginMs);
    expect(syncTimeoutMs + lockMarginMs).toBeLessThan(WORK_QUEUE.visibilityTimeoutMs);
    expect(renewAfterReceives).toBeLessThan(WORK_QUEUE.maxReceives);
  });
});

describe('the log lines of a sync', () => {
  const record: SyncRecord = {
    key: { controller: 'replicaset', namespace: 'default', name: 'web' },
    beganAtMs: 0,
    durationMs: 12,
    outcome: 'done',
    conflicts: 0,
    why: [],
    writes: [],
    failures: 0,
  };

  function metricsOf(change: Partial<SyncRecord>): Record<string, unknown>[] {
    const printed: string[] = [];
    const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    createSyncMetrics(new Metrics({ namespace: 'Driftless', serviceName: 'test' })).onSync({ ...record, ...change });
    stdout.mockRestore();
    return printed.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  it.each([
    { ended: 'well', change: {}, counted: [] },
    { ended: 'after two conflicts', change: { conflicts: 2 }, counted: [{ Conflicts: 2 }] },
    {
      ended: 'badly',
      change: { outcome: 'failed', failures: 1 },
      counted: [{ SyncFailures: 1 }, { SyncFailures: 1, controller: 'replicaset' }],
    },
    {
      ended: 'badly, for the sixteenth time',
      change: { outcome: 'failed', failures: 16 },
      counted: [{ SyncFailures: 1 }, { SyncFailures: 1, controller: 'replicaset' }, { RetryingReplicaSets: 1 }],
    },
    {
      ended: 'badly, and given up',
      change: { outcome: 'failed', failures: 16, buried: true },
      counted: [{ DeadLetters: 1 }, { SyncFailures: 1 }, { SyncFailures: 1, controller: 'replicaset' }],
    },
  ] as const)('contain the metrics of a sync that ended $ended', ({ change, counted }) => {
    const metrics = metricsOf(change);
    expect(metrics).toHaveLength(counted.length);
    for (const [at, metric] of counted.entries()) expect(metrics[at]).toMatchObject({ service: 'test', ...metric });
  });

  it('are structured, and have the level that was given', () => {
    const lines: string[] = [];
    const logger = new Logger({ serviceName: 'test', logLevel: 'INFO' });
    const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
    const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
    createLog(logger)({ level: 'warn', msg: 'sync', key: 'deployment:default/web', outcome: 'failed', durationMs: 7 });
    stdout.mockRestore();
    stderr.mockRestore();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'WARN',
      message: 'sync',
      service: 'test',
      key: 'deployment:default/web',
      outcome: 'failed',
      durationMs: 7,
    });
  });
});
