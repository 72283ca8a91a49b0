import { Duration } from 'aws-cdk-lib';
import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { SYNC_METRICS } from '../../../lambdas/functions/sync/createSyncMetrics.ts';
import type { AlarmParts, AlarmSpec } from './AlarmSpec.ts';
import { LOGGED_METRICS } from './countLines.ts';
import { customMetric } from './customMetric.ts';

/** Watchers and controllers wait for a change as long as it waits in the stream. */
const MAX_ITERATOR_AGE_MS = 60_000;
/** Stands for the age of changes that nobody reads: the stream drops them after a day. */
const UNREAD_MS = 24 * 3_600_000;

/**
 * The alarms that every stack has unless the user wants none. CloudWatch bills each metric that an alarm reads and ten are free; these alarms read ten. Failures of the other metrics show in these too:
 * errors of `record` and `enqueue` as iterator age, errors of `api` and `authorize` as 5xx answers, and requests that could not invoke `api`, which
 * get a 429, as a wrong setup.
 *
 * A function publishes its metrics with each invocation. `resync` is invoked every minute, and every five minutes it gives the other triggers something to do, so a period without data says that a trigger does not invoke its
 * function: it was switched off, lost its permission, or is throttled. Such a period counts as the worst value. Two of them in a row are needed, because a metric may be late by a minute.
 */
export function freeAlarms({ clusterId, functions, queues, api }: AlarmParts): readonly AlarmSpec[] {
  const { sync, resync, record, enqueue } = functions;
  const period = Duration.minutes(5);
  return [
    {
      id: 'DeadLetters',
      description:
        'Syncs of some keys failed too often and were given up. Fix the cause, then redrive the dead-letter queue to the work queue.',
      metric: queues.deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
      above: 0,
    },
    {
      id: 'GivenUp',
      description:
        'A change could not be logged or queued. Every key is synced again, and watchers have to list again.',
      metric: customMetric(LOGGED_METRICS.newEpochs, clusterId, period),
      above: 0,
    },
    {
      id: 'RetryingReplicaSets',
      description: 'ReplicaSets keep failing and are retried for ever. The log of the sync function says why.',
      metric: customMetric(SYNC_METRICS.retryingReplicaSets, clusterId, period),
      above: 0,
    },
    {
      id: 'IteratorAge',
      description:
        'Changes wait too long to be logged, or for their keys to be queued. If record or enqueue is not invoked at all, its trigger reads nothing of the stream: look at the event source mapping of the function, switch it on, and deploy the stack again if a permission is missing. (If resync is not invoked either, mend that first.) The stream drops changes after a day without a notice. If the trigger read nothing for so long, the functions notice it as soon as it reads again: every key is synced again, and watchers have to list again.',
      metric: new MathExpression({
        expression: `MAX([FILL(record, ${UNREAD_MS}), FILL(enqueue, ${UNREAD_MS})])`,
        label: 'oldest change',
        usingMetrics: {
          record: record.metric('IteratorAge', { period, statistic: 'Maximum' }),
          enqueue: enqueue.metric('IteratorAge', { period, statistic: 'Maximum' }),
        },
        period,
      }),
      above: MAX_ITERATOR_AGE_MS,
      periods: 2,
    },
    {
      id: 'ApiErrors',
      description: 'Requests were answered with 5xx: the API or the authorizer failed.',
      metric: api.metricServerError({ period, statistic: 'Sum' }),
      above: 0,
      periods: 2,
    },
    {
      id: 'SetupProblems',
      description:
        'A permission, a table, a queue or a quota is missing. The log of the function or of the container says what to do: look for "the setup is wrong". If there is no such line, API Gateway could not invoke the api function: see integrationError in the access log. If it is throttled, ask for a higher quota of concurrent executions in Service Quotas; if it may not be invoked, deploy the stack again.',
      metric: customMetric(LOGGED_METRICS.setupProblems, clusterId, period),
      above: 0,
    },
    {
      id: 'Errors',
      description:
        'The sync or resync function failed (memory, timeout, or a bug), and its keys are retried after the visibility timeout. Or it is not invoked at all: nobody reads the work queue, or the schedules of resync do nothing. If the function is throttled, ask for a higher quota of concurrent executions in Service Quotas. If not, look at its event source mapping or its rules in EventBridge, switch them on, and deploy the stack again if a permission is missing.',
      metric: new MathExpression({
        expression: 'SUM([FILL(sync, 1), FILL(resync, 1)])',
        label: 'errors',
        usingMetrics: { sync: sum(sync.metricErrors({ period })), resync: sum(resync.metricErrors({ period })) },
        period,
      }),
      above: 0,
      periods: 2,
    },
    {
      id: 'Throttles',
      description:
        'Syncs are throttled: the account has too little concurrency for syncMaxConcurrency and the open watches. Ask for a higher quota of concurrent executions in Service Quotas, or lower syncMaxConcurrency.',
      metric: sync.metricThrottles({ period, statistic: 'Sum' }),
      above: 0,
      periods: 2,
    },
  ];
}

function sum(metric: Metric): Metric {
  return metric.with({ statistic: 'Sum' });
}
