import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { logicalName } from './createFunctions.ts';
import { SETUP_PROBLEM } from '../../lambdas/functions/logSetupProblems.ts';
import { NEW_EPOCH } from '../../lambdas/functions/record/createRecordHandler.ts';
import type { FunctionName } from '../topology.ts';
import { SYNC_METRICS } from '../../lambdas/functions/sync/createSyncMetrics.ts';
import type { Functions } from './createFunctions.ts';
import type { Queues } from './createQueues.ts';
import type { DriftlessStackProps } from './DriftlessStackProps.ts';
import { METRICS_NAMESPACE } from './functionEnvironment.ts';

export interface AlarmParts {
  readonly props: DriftlessStackProps;
  readonly clusterId: string;
  readonly functions: Functions;
  readonly queues: Queues;
  readonly api: RestApi;
}

interface AlarmSpec {
  readonly id: string;
  readonly description: string;
  readonly metric: IMetric;
  /** The alarm goes off above this value. */
  readonly above: number;
  /** The number of periods in a row that the value must be above the threshold. */
  readonly periods?: number;
}

/** Watchers and controllers wait for a change as long as it waits in the stream. */
const MAX_ITERATOR_AGE_MS = 60_000;

/**
 * Creates the alarms. CloudWatch bills each metric that an alarm reads and ten are free; these alarms read ten. Failures of the other metrics show in these too:
 * errors of `record` and `enqueue` as iterator age, errors of `api` and `authorize` as 5xx answers. Throttles of `api` are answered with 429 and set off no alarm.
 */
export function createAlarms(scope: Construct, parts: AlarmParts): readonly Alarm[] {
  const { alarmTopicArn } = parts.props;
  countLines(scope, parts.functions);
  const topic = alarmTopicArn === undefined ? undefined : Topic.fromTopicArn(scope, 'AlarmTopic', alarmTopicArn);
  return alarmSpecs(parts).map(({ id, description, metric, above, periods = 1 }) => {
    const alarm = new Alarm(scope, `${id}Alarm`, {
      alarmDescription: description,
      metric,
      threshold: above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: periods,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (topic) {
      const action = new SnsAction(topic);
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
    return alarm;
  });
}

function alarmSpecs({ clusterId, functions, queues, api }: AlarmParts): readonly AlarmSpec[] {
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
      description: 'Changes wait too long to be logged, or for their keys to be queued.',
      metric: new MathExpression({
        expression: 'MAX([record, enqueue])',
        label: 'oldest change',
        usingMetrics: {
          record: record.metric('IteratorAge', { period, statistic: 'Maximum' }),
          enqueue: enqueue.metric('IteratorAge', { period, statistic: 'Maximum' }),
        },
        period,
      }),
      above: MAX_ITERATOR_AGE_MS,
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
        'A permission, a table, a queue or a quota is missing. The log of the function says what to do: look for "the setup is wrong".',
      metric: customMetric(LOGGED_METRICS.setupProblems, clusterId, period),
      above: 0,
    },
    {
      id: 'Errors',
      description:
        'The sync or resync function failed (memory, timeout, or a bug). Its keys are retried after the visibility timeout.',
      metric: new MathExpression({
        expression: 'SUM([sync, resync])',
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

type MetricName =
  | (typeof SYNC_METRICS)[keyof typeof SYNC_METRICS]
  | (typeof LOGGED_METRICS)[keyof typeof LOGGED_METRICS];

/** What is counted by lines in the functions' logs. */
const LOGGED_METRICS = { newEpochs: 'NewEpochs', setupProblems: 'SetupProblems' } as const;

/** Counts the lines that report a log that begins anew, or a setup that is wrong. A metric filter costs nothing. */
function countLines(scope: Construct, functions: Functions): void {
  for (const [name, { logGroup }] of Object.entries(functions)) {
    const count = (metricName: string, field: string, value: string) =>
      new MetricFilter(scope, `${logicalName(name as FunctionName)}${metricName}`, {
        logGroup,
        filterPattern: FilterPattern.stringValue(field, '=', value),
        metricNamespace: METRICS_NAMESPACE,
        metricName,
        metricValue: '1',
        dimensions: { service: '$.service' },
      });
    count(LOGGED_METRICS.setupProblems, '$.message', SETUP_PROBLEM);
    if (name === 'record' || name === 'resync') count(LOGGED_METRICS.newEpochs, '$.outcome', NEW_EPOCH);
  }
}

/** A metric that the functions themselves publish, or that is counted in their logs. */
export function customMetric(metricName: MetricName, clusterId: string, period: Duration, statistic = 'Sum'): Metric {
  return new Metric({
    namespace: METRICS_NAMESPACE,
    metricName,
    dimensionsMap: { service: clusterId },
    period,
    statistic,
  });
}

function sum(metric: Metric): Metric {
  return metric.with({ statistic: 'Sum' });
}
