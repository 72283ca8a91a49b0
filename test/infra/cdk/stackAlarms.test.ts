import { readFileSync } from 'node:fs';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { addDriftlessStack } from '../../../infra/cdk/addDriftlessStack.ts';
import { FUNCTIONS } from '../../../infra/topology.ts';
import { HEARTBEAT_PERIOD_MS } from '../../../lambdas/functions/limits.ts';
import { SYNC_METRICS } from '../../../lambdas/functions/sync/createSyncMetrics.ts';
import { createTestApp } from './createTestApp.ts';
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

  it('are told to an address, which needs a topic that CloudWatch may use', () => {
    const told = synthesizeStack({ alarmEmail: 'ops@example.com' });
    told.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'ops@example.com' });
    const statement = Match.objectLike({
      Effect: 'Allow',
      Action: 'sns:Publish',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    });
    told.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: { Statement: Match.arrayWith([statement]) },
    });
    told.allResourcesProperties('AWS::CloudWatch::Alarm', {
      AlarmActions: [{ Ref: Match.stringLikeRegexp('^AlarmMails') }],
    });
  });

  it.each([
    ['somebody is told', { alarmTopicArn: TOPIC }, 0],
    ['there are none', { alarms: false }, 0],
    ['nobody is', {}, 1],
  ])('make a warning if nobody is told of them: %s', (_, driftless, warnings) => {
    const stack = addDriftlessStack(createTestApp({ driftless }));
    const found = Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('nobody is told'));
    expect(found).toHaveLength(warnings);
  });
});

describe('all alarms', () => {
  const all = synthesizeStack({ alarms: 'all', alarmTopicArn: TOPIC, accountConcurrency: 500 });
  const recorded = synthesizeStack({
    alarms: 'all',
    alarmTopicArn: TOPIC,
    audit: 'metadata',
    encryptionKey: 'create',
    backupCopies: { vaultArn: 'arn:aws:backup:eu-west-1:444455556666:backup-vault:copies' },
  });
  const singles = Object.entries(resourcesOf(all, 'AWS::CloudWatch::Alarm'));
  const groups = Object.entries(resourcesOf(all, 'AWS::CloudWatch::CompositeAlarm')).map(
    ([logicalId, { Properties }]) => ({ logicalId, ...(resolve(Properties) as Record<string, unknown>) }),
  ) as readonly (Record<string, string> & { logicalId: string })[];
  const idOf = (logicalId: string) => logicalId.replace(/(?:Alarm|Group)[0-9A-F]{8}$/, '');
  const alarm = (id: string) =>
    resolve(singles.find(([logicalId]) => idOf(logicalId) === id)?.[1].Properties) as object;

  it('tell by groups alone, each alarm in one group', () => {
    expect(singles.filter(([, { Properties }]) => 'AlarmActions' in Properties)).toEqual([]);
    for (const group of groups) expect(group).toMatchObject({ AlarmActions: [TOPIC], OKActions: [TOPIC] });
    const members = groups.flatMap(({ AlarmRule = '' }) => [...AlarmRule.matchAll(/ALARM\("?<([^.>]+)\.Arn>"?\)/g)]);
    expect(members.map(([, member = '']) => member).toSorted()).toEqual(singles.map(([id]) => id).toSorted());
  });

  it('say nothing of what probably follows from a limit, while that is told', () => {
    const limits = groups.find(({ logicalId }) => idOf(logicalId) === 'Limits');
    const suppressed = groups.filter(({ ActionsSuppressor }) => ActionsSuppressor !== undefined);
    expect(suppressed.map(({ logicalId }) => idOf(logicalId)).toSorted()).toEqual(['Progress', 'Requests']);
    for (const { ActionsSuppressor } of suppressed) expect(ActionsSuppressor).toBe(`<${limits?.logicalId}.Arn>`);
  });

  it.each([
    ['Concurrency', { Namespace: 'AWS/Lambda', MetricName: 'ConcurrentExecutions', Threshold: 400 }],
    ['OldestKey', { MetricName: 'ApproximateAgeOfOldestMessage', Threshold: 1_800 }],
    ['SlowWrites', { Namespace: 'Driftless', MetricName: 'WriteMs', ExtendedStatistic: 'p99', Threshold: 1_000 }],
    ['RefusedRequests', { Namespace: 'Driftless', MetricName: 'TooManyRequests' }],
    ['DeniedRequests', { Namespace: 'Driftless', MetricName: 'DeniedRequests' }],
  ])('have %s', (id, expected) => {
    expect(alarm(id)).toMatchObject(expected);
  });

  it.each([
    ['TableThrottles', 10, /^(Read|Write)ThrottleEvents$/],
    ['FunctionThrottles', Object.keys(FUNCTIONS).length, /^Throttles$/],
  ])('have %s, a sum of %i metrics', (id, count, name) => {
    const stats = metricsOf(alarm(id) as Record<string, unknown>).flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
    expect(stats).toHaveLength(count);
    for (const { MetricName } of stats) expect(MetricName).toMatch(name);
    expect(new Set(stats.map(({ MetricName, Dimensions }) => `${MetricName} ${Dimensions[0]?.Value}`)).size).toBe(
      count,
    );
  });

  it.each([
    ['DeniedRequests', '1', '{ ($.status = "401") || ($.status = "403") }'],
    ['ConflictingRequests', '1', '{ $.status = "409" }'],
    [
      'WriteMs',
      '$.latencyMs',
      '{ (($.method = "POST") || ($.method = "PUT") || ($.method = "PATCH") || ($.method = "DELETE")) && ($.latencyMs = "*") }',
    ],
  ])('count %s in the access log', (MetricName, MetricValue, FilterPattern) => {
    all.hasResourceProperties('AWS::Logs::MetricFilter', {
      LogGroupName: { Ref: Match.stringLikeRegexp('^AccessLog') },
      FilterPattern,
      MetricTransformations: [Match.objectLike({ MetricName, MetricValue })],
    });
  });

  it('do without those of single requests if there is no access log', () => {
    const without = synthesizeStack({ alarms: 'all', accessLogs: false });
    const ids = Object.keys(resourcesOf(without, 'AWS::CloudWatch::Alarm')).map(idOf);
    expect(ids).not.toContain('SlowWrites');
    expect(ids).toContain('Concurrency');
    without.resourceCountIs('AWS::CloudWatch::CompositeAlarm', 4);
  });

  it('tell of backups that fail and of audit events that are lost, where there are such', () => {
    const ids = singles.map(([id]) => idOf(id));
    expect(ids).not.toContain('LostAuditEvents');
    expect(ids).not.toContain('FailedBackups');
    const [rule] = Object.entries(resourcesOf(recorded, 'AWS::Events::Rule')).filter(([id]) =>
      id.startsWith('FailedBackups'),
    );
    expect(resolve(rule?.[1].Properties)).toMatchObject({
      EventPattern: {
        source: ['aws.backup'],
        'detail-type': ['Backup Job State Change', 'Copy Job State Change'],
        detail: { state: ['FAILED', 'EXPIRED', 'ABORTED'], resourceArn: ['<ObjectsTable.Arn>'] },
      },
    });
    const recordedAlarm = (id: string) =>
      resolve(
        Object.entries(resourcesOf(recorded, 'AWS::CloudWatch::Alarm')).find(([other]) => idOf(other) === id)?.[1]
          .Properties,
      );
    expect(recordedAlarm('FailedBackups')).toMatchObject({
      Namespace: 'AWS/Events',
      MetricName: 'MatchedEvents',
      Dimensions: [{ Name: 'RuleName', Value: `<${rule?.[0]}>` }],
      Threshold: 0,
    });
    expect(recordedAlarm('LostAuditEvents')).toMatchObject({ MetricName: 'LostAuditEvents', Threshold: 0 });
    const [filter] = Object.values(resourcesOf(recorded, 'AWS::Logs::MetricFilter')).filter(({ Properties }) =>
      JSON.stringify(Properties).includes('LostAuditEvents'),
    );
    expect(filter?.Properties['FilterPattern']).toBe('{ $.message = "audit events are lost" }');
    expect(Object.keys(resourcesOf(recorded, 'AWS::CloudWatch::CompositeAlarm')).map(idOf)).toContain('Records');
    const inContainer = synthesizeStack({ audit: 'metadata', api: 'container' });
    expect(Object.keys(resourcesOf(inContainer, 'AWS::Logs::MetricFilter')).join(' ')).toMatch(
      /ApiContainerLostAuditEvents/,
    );
  });

  it('each have a section in the runbook: what it means, what to look at, what to do, and how to tell that it is over', () => {
    const runbook = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');
    const sections = runbook.split(/^### /m).slice(1);
    const titles = sections.map((section) => section.slice(0, section.indexOf('\n')));
    const records = Object.entries(resourcesOf(recorded, 'AWS::CloudWatch::Alarm'));
    const named = [...singles, ...records].map(([logicalId, { Properties }]) => {
      const description = String(Properties['AlarmDescription']);
      expect(description.length).toBeLessThanOrEqual(1_024);
      const title = /docs\/runbook\.md, (\w+),/.exec(description)?.[1] ?? '';
      // The windows of a service level share a section.
      expect(idOf(logicalId).replace(/Burn(?:1h|5m|6h|30m)$/, 'Burn')).toBe(title);
      return title;
    });
    expect(titles.toSorted()).toEqual([...new Set(named)].toSorted());
    for (const section of sections)
      for (const part of ['Means', 'Look', 'Do', 'Over']) expect(section).toContain(`\n**${part}.** `);
  });
});

describe('a budget', () => {
  it('tells the same people when the costs of the stack are above it, or are going to be', () => {
    const told = synthesizeStack({ alarmEmail: 'ops@example.com', alarmTopicArn: TOPIC, monthlyBudget: 20 });
    const [budget] = Object.values(resourcesOf(told, 'AWS::Budgets::Budget'));
    expect(budget?.Properties['Budget']).toMatchObject({
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: 20, Unit: 'USD' },
      CostFilters: { TagKeyValue: ['aws:cloudformation:stack-name$driftless'] },
    });
    const subscribers = [
      { SubscriptionType: 'EMAIL', Address: 'ops@example.com' },
      { SubscriptionType: 'SNS', Address: TOPIC },
    ];
    expect(budget?.Properties['NotificationsWithSubscribers']).toEqual([
      expect.objectContaining({
        Notification: expect.objectContaining({ NotificationType: 'FORECASTED' }) as object,
        Subscribers: subscribers,
      }),
      expect.objectContaining({
        Notification: expect.objectContaining({ NotificationType: 'ACTUAL' }) as object,
        Subscribers: subscribers,
      }),
    ]);
    template.resourceCountIs('AWS::Budgets::Budget', 0);
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

it('groups of alarms have the name of the stack, so that a region can have several', () => {
  const namesOf = (stackName: string) =>
    Object.values(resourcesOf(synthesizeStack({ alarms: 'all', stackName }), 'AWS::CloudWatch::CompositeAlarm')).map(
      ({ Properties }) => Properties['AlarmName'],
    );
  expect(namesOf('one')).toContain('one-Limits');
  expect(namesOf('two')).toContain('two-Limits');
});
