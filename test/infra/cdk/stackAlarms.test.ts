import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
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
      'changes that were given up',
      {
        Namespace: 'AWS/SQS',
        MetricName: 'NumberOfMessagesSent',
        Dimensions: dimension('QueueName', '<GivenUpQueue.QueueName>'),
      },
    ],
    [
      'replica sets that keep failing, by what the sync function counts',
      {
        Namespace: 'Driftless',
        MetricName: SYNC_METRICS.retryingReplicaSets,
        Dimensions: dimension('service', 'driftless-eu-central-1-111122223333'),
      },
    ],
    [
      'requests that fail',
      { Namespace: 'AWS/ApiGateway', MetricName: '5XXError', Dimensions: dimension('ApiName', 'driftless') },
    ],
    [
      'an authorizer that fails',
      { Namespace: 'AWS/Lambda', MetricName: 'Errors', Dimensions: dimension('FunctionName', '<AuthorizeFunction>') },
    ],
    [
      'syncs that are throttled',
      { Namespace: 'AWS/Lambda', MetricName: 'Throttles', Dimensions: dimension('FunctionName', '<SyncFunction>') },
    ],
  ])('ring for %s', (_, metric) => {
    expect(alarms).toContainEqual(
      expect.objectContaining({ ...metric, Threshold: 0, ComparisonOperator: 'GreaterThanThreshold' }),
    );
  });

  it.each([
    [
      'changes that wait for longer than a minute',
      'MAX([record, enqueue])',
      60_000,
      ['<EnqueueFunction>', '<RecordFunction>'],
      'IteratorAge',
    ],
    ['workers that die', 'SUM([sync, resync])', 0, ['<ResyncFunction>', '<SyncFunction>'], 'Errors'],
  ])('ring for %s', (_, expression, threshold, functions, metricName) => {
    const alarm = alarms.find((one) => metricsOf(one).some(({ Expression }) => Expression === expression));
    expect(alarm?.['Threshold']).toBe(threshold);
    const stats = metricsOf(alarm).flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
    expect(new Set(stats.map(({ Dimensions }) => Dimensions[0]?.Value))).toEqual(new Set(functions));
    expect(new Set(stats.map(({ MetricName }) => MetricName))).toEqual(new Set([metricName]));
  });

  it('look at no more than the ten metrics that are free', () => {
    const single = alarms.filter(({ MetricName }) => MetricName !== undefined);
    const combined = alarms.flatMap((alarm) => metricsOf(alarm).filter(({ MetricStat }) => MetricStat));
    expect(single.length + combined.length).toBe(10);
  });

  it('tell the topic when they ring and when they stop, and are quiet while nothing happens', () => {
    for (const alarm of alarms) {
      expect(alarm).toMatchObject({ AlarmActions: [TOPIC], OKActions: [TOPIC], TreatMissingData: 'notBreaching' });
    }
  });

  it('stand there without a topic too, and go with the dashboard where nobody wants them', () => {
    synthesizeStack().allResourcesProperties('AWS::CloudWatch::Alarm', { AlarmActions: Match.absent() });
    const none = synthesizeStack({ alarms: false, dashboard: false });
    none.resourceCountIs('AWS::CloudWatch::Alarm', 0);
    none.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
  });
});

describe('the dashboard', () => {
  it('shows alarms, waiting work, requests, syncs in trouble, and what is used', () => {
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

/** The metrics of an alarm that works something out of several. */
function metricsOf(alarm: Readonly<Record<string, unknown>> | undefined): readonly AlarmMetric[] {
  return (alarm?.['Metrics'] ?? []) as readonly AlarmMetric[];
}

function dimension(Name: string, Value: string) {
  return [{ Name, Value }];
}
