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
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
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
  /** It rings above this. */
  readonly above: number;
  /** For so many periods in a row. */
  readonly periods?: number;
}

/** A change that waits for so long has watchers and controllers wait. */
const MAX_ITERATOR_AGE_MS = 60_000;

/**
 * What an operator should look at. CloudWatch bills by the metric that an alarm looks at, ten of which are free; these are ten. What they do not look at
 * shows in them all the same: errors of `record` and `enqueue` as iterator age, errors and throttles of `api` as its answers.
 */
export function createAlarms(scope: Construct, parts: AlarmParts): readonly Alarm[] {
  const { alarmTopicArn } = parts.props;
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
  const { sync, resync, authorize, record, enqueue } = functions;
  const period = Duration.minutes(5);
  return [
    {
      id: 'DeadLetters',
      description: 'Keys were given up. Mend the cause, then redrive the dead-letter queue to the work queue.',
      metric: queues.deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
      above: 0,
    },
    {
      id: 'GivenUp',
      description: 'A change could not be logged or queued; every key is looked at again, and watchers begin anew.',
      metric: queues.givenUp.metricNumberOfMessagesSent({ period, statistic: 'Sum' }),
      above: 0,
    },
    {
      id: 'RetryingReplicaSets',
      description: 'ReplicaSets keep failing: they are tried for ever. The log of the sync function says why.',
      metric: customMetric(SYNC_METRICS.retryingReplicaSets, clusterId, period),
      above: 0,
    },
    {
      id: 'IteratorAge',
      description: 'Changes wait for the change log, or for their keys to be queued.',
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
      description:
        'Requests were answered with 5xx: the API function failed, was throttled, or nobody could be identified.',
      metric: api.metricServerError({ period, statistic: 'Sum' }),
      above: 0,
      periods: 2,
    },
    {
      id: 'AuthorizerErrors',
      description: 'The authorizer failed: STS out of reach, or its configuration is wrong.',
      metric: authorize.metricErrors({ period, statistic: 'Sum' }),
      above: 0,
    },
    {
      id: 'Errors',
      description: 'A worker died (memory, time, or a fault): its keys come again after the visibility timeout.',
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
        'Syncs are throttled: the account has too little concurrency for syncMaxConcurrency and the open watches.',
      metric: sync.metricThrottles({ period, statistic: 'Sum' }),
      above: 0,
      periods: 2,
    },
  ];
}

type SyncMetricName = (typeof SYNC_METRICS)[keyof typeof SYNC_METRICS];

/** A metric that the sync function publishes itself. */
export function customMetric(
  metricName: SyncMetricName,
  clusterId: string,
  period: Duration,
  statistic = 'Sum',
): Metric {
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
