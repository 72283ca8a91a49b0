import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { FUNCTIONS } from '../../../infra/topology.ts';
import { HEARTBEAT_PERIOD_MS } from '../../../lambdas/functions/limits.ts';
import { SYNC_METRICS } from '../../../lambdas/functions/sync/createSyncMetrics.ts';
import { resolve, resourcesOf, synthesizeStack } from './synthesizeStack.ts';

const TOPIC = 'arn:aws:sns:eu-central-1:111122223333:ops';
const template = synthesizeStack({ alarmTopicArn: TOPIC });
const alarms = Object.values(resourcesOf(template, 'AWS::CloudWatch::Alarm')).map(
  ({ Properties }) => resolve(Properties) as Record<string, unknown>,
);

describe('alarms', () => {
  it.each<[string, Record<string, unknown>]>([
    [
      'dead letters',
      {
        Namespace: 'AWS/SQS',
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Dimensions: dimension('QueueName', '<DeadLetterQueue.QueueName>'),
      },
    ],
    [
      'given-up changes',
      {
        Namespace: 'Driftless',
        MetricName: 'NewEpochs',
        Dimensions: dimension('service', 'driftless-eu-central-1-111122223333'),
      },
    ],
    [
      'ReplicaSets that keep failing, counted by the sync function',
      {
        Namespace: 'Driftless',
        MetricName: SYNC_METRICS.retryingReplicaSets,
        Dimensions: dimension('service', 'driftless-eu-central-1-111122223333'),
      },
    ],
    [
      'failed requests',
      { Namespace: 'AWS/ApiGateway', MetricName: '5XXError', Dimensions: dimension('ApiName', 'driftless') },
    ],
    [
      'a setup that is wrong',
      {
        Namespace: 'Driftless',
        MetricName: 'SetupProblems',
        Dimensions: dimension('service', 'driftless-eu-central-1-111122223333'),
      },
    ],
    [
      'throttled syncs',
      { Namespace: 'AWS/Lambda', MetricName: 'Throttles', Dimensions: dimension('FunctionName', '<SyncFunction>') },
    ],
  ])('go off for %s', (_, metric) => {
    expect(alarms).toContainEqual(
      expect.objectContaining({ ...metric, Threshold: 0, ComparisonOperator: 'GreaterThanThreshold' }),
    );
  });

  it.each([
    [
      'changes that wait longer than a minute, or are not read at all',
      'MAX([FILL(record, 86400000), FILL(enqueue, 86400000)])',
      60_000,
      ['<EnqueueFunction>', '<RecordFunction>'],
      'IteratorAge',
    ],
    [
      'errors of sync and resync, and for either of them if it is not invoked',
      'SUM([FILL(sync, 1), FILL(resync, 1)])',
      0,
      ['<ResyncFunction>', '<SyncFunction>'],
      'Errors',
    ],
  ])('go off for %s', (_, expression, threshold, functions, metricName) => {
    const alarm = alarms.find((one) => metricsOf(one).some(({ Expression }) => Expression === expression));
    expect(alarm?.['Threshold']).toBe(threshold);
    const stats = metricsOf(alarm).flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
    expect(new Set(stats.map(({ Dimensions }) => Dimensions[0]?.Value))).toEqual(new Set(functions));
    expect(new Set(stats.map(({ MetricName }) => MetricName))).toEqual(new Set([metricName]));
    // The latest period has no data if the metric is late.
    expect(alarm?.['EvaluationPeriods']).toBe(2);
    expect(HEARTBEAT_PERIOD_MS).toBeLessThanOrEqual(300_000);
  });

  it('count the lines of every function that report a wrong setup, or logs that begin anew', () => {
    const filters = Object.values(resourcesOf(template, 'AWS::Logs::MetricFilter')).map(
      ({ Properties }) => resolve(Properties) as { FilterPattern: string; LogGroupName: string },
    );
    const logsWith = (pattern: string) =>
      filters.filter(({ FilterPattern }) => FilterPattern === pattern).map(({ LogGroupName }) => LogGroupName);
    expect(logsWith('{ $.message = "the setup is wrong" }')).toHaveLength(Object.keys(FUNCTIONS).length);
    expect(logsWith('{ $.outcome = "newEpoch" }').sort()).toEqual([
      expect.stringContaining('RecordFunctionLog') as string,
      expect.stringContaining('ResyncFunctionLog') as string,
    ]);
  });

  it('count the requests for which API Gateway could not invoke the function, as lines of the access log', () => {
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      LogGroupName: { Ref: Match.stringLikeRegexp('^AccessLog') },
      FilterPattern: '{ ($.responseType = "INTEGRATION_FAILURE") || ($.responseType = "API_CONFIGURATION_ERROR") }',
      MetricTransformations: [
        Match.objectLike({
          MetricName: 'SetupProblems',
          MetricNamespace: 'Driftless',
          Dimensions: [{ Key: 'service', Value: '$.service' }],
        }),
      ],
    });
  });

  it('read no more than the ten metrics that are free', () => {
    const single = alarms.filter(({ MetricName }) => MetricName !== undefined);
    const combined = alarms.flatMap((alarm) => metricsOf(alarm).filter(({ MetricStat }) => MetricStat));
    expect(single.length + combined.length).toBe(10);
  });

  it('notify the topic when they go off and when they end, and stay off without data', () => {
    for (const alarm of alarms) {
      expect(alarm).toMatchObject({ AlarmActions: [TOPIC], OKActions: [TOPIC], TreatMissingData: 'notBreaching' });
    }
  });

  it('exist without a topic too, and can be switched off, as can the dashboard', () => {
    synthesizeStack().allResourcesProperties('AWS::CloudWatch::Alarm', { AlarmActions: Match.absent() });
    const none = synthesizeStack({ alarms: false, dashboard: false });
    none.resourceCountIs('AWS::CloudWatch::Alarm', 0);
    none.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
  });
});

describe('the dashboard', () => {
  it('shows alarms, waiting work, requests, failing syncs and usage', () => {
    const [dashboard] = Object.values(resourcesOf(template, 'AWS::CloudWatch::Dashboard'));
    const { widgets } = JSON.parse(String(resolve(dashboard?.Properties['DashboardBody']))) as {
      widgets: { properties: { title: string } }[];
    };
    expect(widgets.map(({ properties }) => properties.title)).toEqual([
      'Alarms',
      'Keys waiting',
      'Oldest change and oldest key',
      'Requests',
      'Errors and throttles',
      'Failing syncs',
      'Invocations',
      'Concurrent executions',
      'Read units',
      'Write units',
    ]);
  });
});

interface AlarmMetric {
  readonly Expression?: string;
  readonly MetricStat?: { readonly Metric: { readonly MetricName: string; readonly Dimensions: { Value: string }[] } };
}

/** The metrics of an alarm that computes its value from several. */
function metricsOf(alarm: Readonly<Record<string, unknown>> | undefined): readonly AlarmMetric[] {
  return (alarm?.['Metrics'] ?? []) as readonly AlarmMetric[];
}

function dimension(Name: string, Value: string) {
  return [{ Name, Value }];
}
