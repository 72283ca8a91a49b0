import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { NEW_ACCOUNT_CONCURRENCY } from '../planConcurrency.ts';
import type { AlarmParts, AlarmSpec } from './AlarmSpec.ts';
import { LOGGED_METRICS } from './countLines.ts';
import { customMetric } from './customMetric.ts';
import { QUICK_WRITE_MS } from './serviceLevels.ts';

/** A wake-up may wait in the queue for 15 minutes. A key whose syncs fail does not count: SQS leaves out messages that were received more than three times. */
const MAX_KEY_AGE_SECONDS = 1_800;
/** So many refusals in five minutes are not those of one client that was too quick. */
const MOST_REFUSED = 100;
const CONCURRENCY_SHARE = 0.8;

const PERIOD = Duration.minutes(5);

/** The alarms that cost something: see `alarms` in DriftlessStackProps. Those of single requests need the access log. */
export function moreAlarms(parts: AlarmParts): readonly AlarmSpec[] {
  return [...limitAlarms(parts), oldestKey(parts), ...(parts.accessLog ? requestAlarms(parts) : [])];
}

function limitAlarms({ props, functions, tables }: AlarmParts): readonly AlarmSpec[] {
  const { accountConcurrency = NEW_ACCOUNT_CONCURRENCY } = props;
  const ofTables = Object.entries(tables).flatMap(([name, { tableName }]) =>
    ['Read', 'Write'].map((kind) => [`${name}${kind}`, tableMetric(tableName, `${kind}ThrottleEvents`)] as const),
  );
  const ofFunctions = Object.entries(functions).map(
    ([name, one]) => [name, one.metricThrottles({ period: PERIOD, statistic: 'Sum' })] as const,
  );
  return [
    {
      id: 'TableThrottles',
      description: 'Requests to the tables are throttled, and tried again. Warm the tables for what comes at once.',
      metric: sumOf('throttled requests', ofTables),
      above: 0,
      periods: 2,
    },
    {
      id: 'FunctionThrottles',
      description:
        'Functions are throttled: the account has too little concurrency. Ask for a higher quota of concurrent executions.',
      metric: sumOf('throttled invocations', ofFunctions),
      above: 0,
      periods: 2,
    },
    {
      id: 'Concurrency',
      description: `Functions of this account and region take more than ${CONCURRENCY_SHARE * 100} % of its concurrent executions.`,
      metric: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'ConcurrentExecutions',
        period: PERIOD,
        statistic: 'Maximum',
      }),
      above: Math.floor(accountConcurrency * CONCURRENCY_SHARE),
      periods: 2,
    },
  ];
}

function oldestKey({ queues }: AlarmParts): AlarmSpec {
  return {
    id: 'OldestKey',
    description: 'A key has waited for its sync for half an hour: more keys come than are synced, or none is.',
    metric: queues.work.metricApproximateAgeOfOldestMessage({ period: PERIOD, statistic: 'Maximum' }),
    above: MAX_KEY_AGE_SECONDS,
  };
}

function requestAlarms({ clusterId }: AlarmParts): readonly AlarmSpec[] {
  return [
    {
      id: 'SlowWrites',
      description: 'One in a hundred creates, updates, patches and deletes takes longer than a second.',
      metric: customMetric(LOGGED_METRICS.writeMs, clusterId, PERIOD, 'p99'),
      above: QUICK_WRITE_MS,
      periods: 3,
    },
    {
      id: 'RefusedRequests',
      description: 'Requests are refused with 429: too many at a time, or too many watches.',
      metric: customMetric(LOGGED_METRICS.tooManyRequests, clusterId, PERIOD),
      above: MOST_REFUSED,
      periods: 2,
    },
    {
      id: 'DeniedRequests',
      description: 'Requests are answered with 401 or 403: somebody has lost their rights, or tries to get some.',
      metric: customMetric(LOGGED_METRICS.deniedRequests, clusterId, PERIOD),
      above: MOST_REFUSED,
      periods: 2,
    },
  ];
}

function tableMetric(tableName: string, metricName: string): Metric {
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: tableName },
    period: PERIOD,
    statistic: 'Sum',
  });
}

/** An alarm reads ten metrics at most. */
function sumOf(label: string, metrics: readonly (readonly [string, Metric])[]): MathExpression {
  return new MathExpression({
    expression: 'SUM(METRICS())',
    label,
    usingMetrics: Object.fromEntries(metrics),
    period: PERIOD,
  });
}
