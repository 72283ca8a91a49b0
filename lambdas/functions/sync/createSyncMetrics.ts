import { type Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { ALARM_AFTER_FAILURES } from '../limits.ts';
import type { SyncMetrics } from './SyncDependencies.ts';
import type { SyncRecord } from '../../explain/SyncHistory.ts';

/**
 * The metrics of the sync function, for alarms and the dashboard. Each has the dimension `service`, which is the control plane. SyncFailures is also counted by `controller`. Nothing is
 * counted while nothing happens, so an idle control plane pays for no metric.
 */
export const SYNC_METRICS = {
  /** Syncs that threw. A row of conflicts is not counted here. */
  syncFailures: 'SyncFailures',
  /** How often a sync observed again because of a conflicting write. */
  conflicts: 'Conflicts',
  /** Keys that were given up. */
  deadLetters: 'DeadLetters',
  /** Failed syncs of keys of any controller that retries for ever, from the number of failures on at which other keys are given up. */
  retryingReplicaSets: 'RetryingReplicaSets',
} as const;

/** Counts syncs in CloudWatch's embedded metric format: as lines of the log, which cost no request. */
export function createSyncMetrics(metrics: Pick<Metrics, 'singleMetric'>): {
  readonly metrics: SyncMetrics;
  readonly onSync: (record: SyncRecord) => void;
} {
  const count = (name: string, value: number, controller?: string) => {
    const single = metrics.singleMetric();
    if (controller !== undefined) single.addDimension('controller', controller);
    single.addMetric(name, MetricUnit.Count, value);
  };
  return {
    // Each sync's log line says how long the key waited and how long the sync took. As metrics by controller, these would cost more than the syncs.
    metrics: { began: () => () => {}, retried: () => {}, alarmed: () => {} },
    onSync: ({ key, outcome, conflicts, failures, buried }) => {
      if (conflicts > 0) count(SYNC_METRICS.conflicts, conflicts);
      if (buried) count(SYNC_METRICS.deadLetters, 1);
      if (outcome !== 'failed' && outcome !== 'conflict') return;
      if (outcome === 'failed') {
        count(SYNC_METRICS.syncFailures, 1);
        count(SYNC_METRICS.syncFailures, 1, key.controller);
      }
      if (!buried && failures >= ALARM_AFTER_FAILURES) count(SYNC_METRICS.retryingReplicaSets, 1);
    },
  };
}
