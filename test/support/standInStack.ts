import { type Answer, escapeXml, Refusal, xmlResult } from './AwsStandIn.ts';

/** A deployed stack as the services tell of it. What `verify` changes is changed here. */
export interface StandInStack {
  readonly name: string;
  readonly status: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly metadata: object;
  /** Type and physical id by logical id. */
  readonly resources: Readonly<Record<string, readonly [type: string, physicalId: string]>>;
  readonly isProtected: boolean;
  /** The rows of any query of Logs Insights. */
  readonly logRows: readonly Readonly<Record<string, string>>[];
  readonly iteratorAgeMs: number;
  readonly spentDollars: string;
  readonly dollarsByDay: readonly string[];
  /** What of a restored table is not as it was. */
  readonly isCopyWrong: boolean;
}

/** A stack with which nothing is wrong, whose API is at this URL. */
export function soundStack(apiUrl: string, changes: Partial<StandInStack> = {}): StandInStack {
  return {
    name: 'driftless',
    status: 'UPDATE_COMPLETE',
    outputs: { ApiUrl: apiUrl, AuditLogGroup: 'driftless-AuditLog-A' },
    metadata: {
      Driftless: { release: '0.1.0', knobs: { audit: 'metadata', monthlyBudget: 20, alarmEmail: 'ops@example.com' } },
    },
    resources: {
      ObjectsTable: ['AWS::DynamoDB::Table', 'driftless-ObjectsTable-A'],
      KeysTable: ['AWS::DynamoDB::Table', 'driftless-KeysTable-A'],
      ApiFunction: ['AWS::Lambda::Function', 'driftless-ApiFunction-A'],
      RecordFunction: ['AWS::Lambda::Function', 'driftless-RecordFunction-A'],
      EnqueueFunction: ['AWS::Lambda::Function', 'driftless-EnqueueFunction-A'],
      SyncFunctionLog1: ['AWS::Logs::LogGroup', 'driftless-SyncFunctionLog-A'],
      AccessLog1: ['AWS::Logs::LogGroup', 'driftless-AccessLog-A'],
      Budget: ['AWS::Budgets::Budget', 'Budget-A'],
      DeadLettersAlarm1: ['AWS::CloudWatch::Alarm', 'driftless-DeadLettersAlarm-A'],
      SetupProblemsAlarm1: ['AWS::CloudWatch::Alarm', 'driftless-SetupProblemsAlarm-A'],
    },
    isProtected: true,
    logRows: [{ method: 'GET', verb: 'get', requests: '12', events: '12', p50: '70', average: '40', instances: '5' }],
    iteratorAgeMs: 200,
    spentDollars: '0.31',
    dollarsByDay: ['0.001', '0.004'],
    isCopyWrong: false,
    ...changes,
  };
}

const RECOVERY_DAYS = 35;
const OWN_OBJECTS = 10;

/** What the services answer of this stack. */
export function answersOf(stack: StandInStack): Readonly<Record<string, Answer>> {
  const copies = new Set<string>();
  const alarms = new Map<string, string>();
  const member = ([id, [type, physicalId]]: [string, readonly [string, string]]) =>
    `<member><LogicalResourceId>${id}</LogicalResourceId><PhysicalResourceId>${physicalId}</PhysicalResourceId><ResourceType>${type}</ResourceType><ResourceStatus>CREATE_COMPLETE</ResourceStatus><LastUpdatedTimestamp>2026-01-01T00:00:00Z</LastUpdatedTimestamp></member>`;
  const isTable = (name: string) => copies.has(name) || Object.values(stack.resources).some(([, id]) => id === name);
  const isCopy = (name: string) => copies.has(name);
  const items = (table: string) =>
    [...copies].flatMap((copy) =>
      Array.from({ length: OWN_OBJECTS }, (_, at) => ({
        place: { S: `configmaps#${copy}` },
        name: { S: `restored-${at}` },
        version: { N: `${at}` },
        body: { S: isCopy(table) && stack.isCopyWrong ? 'other' : 'as it was' },
      })),
    );
  return {
    'cloudformation:DescribeStacks': (_account, { StackName }) => {
      if (StackName !== stack.name) return new Refusal('ValidationError');
      const outputs = Object.entries(stack.outputs).map(
        ([key, value]) =>
          `<member><OutputKey>${key}</OutputKey><OutputValue>${escapeXml(value)}</OutputValue></member>`,
      );
      return xmlResult(
        'DescribeStacks',
        `<Stacks><member><StackName>${stack.name}</StackName><CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>${stack.status}</StackStatus><Outputs>${outputs.join('')}</Outputs></member></Stacks>`,
      );
    },
    'cloudformation:GetTemplate': () => {
      const resources = Object.entries(stack.resources).map(([id, [Type]]) => [
        id,
        { Type, Properties: { Runtime: 'nodejs24.x' } },
      ]);
      const template = { Resources: Object.fromEntries(resources) as object, Metadata: stack.metadata };
      return xmlResult('GetTemplate', `<TemplateBody>${escapeXml(JSON.stringify(template))}</TemplateBody>`);
    },
    'cloudformation:ListStackResources': () =>
      xmlResult(
        'ListStackResources',
        `<StackResourceSummaries>${Object.entries(stack.resources).map(member).join('')}</StackResourceSummaries>`,
      ),
    'dynamodb:DescribeTable': (_account, { TableName }) => {
      if (!isTable(String(TableName))) return new Refusal('ResourceNotFoundException');
      const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' };
      const DeletionProtectionEnabled = stack.isProtected;
      return {
        Table: {
          TableName,
          TableStatus: 'ACTIVE',
          TableSizeBytes: 4096,
          StreamSpecification,
          DeletionProtectionEnabled,
        },
      };
    },
    'dynamodb:DescribeTimeToLive': () => ({
      TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'expiresAt' },
    }),
    // Another clock may be a bit behind, so what is restorable is ahead.
    'dynamodb:DescribeContinuousBackups': () => ({
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: 'ENABLED',
        PointInTimeRecoveryDescription: {
          PointInTimeRecoveryStatus: 'ENABLED',
          RecoveryPeriodInDays: RECOVERY_DAYS,
          LatestRestorableDateTime: Date.now() / 1000 + 86_400,
        },
      },
    }),
    'dynamodb:RestoreTableToPointInTime': (_account, { SourceTableName, TargetTableName }) => {
      if (!isTable(String(SourceTableName))) return new Refusal('TableNotFoundException');
      copies.add(String(TargetTableName));
      return { TableDescription: { TableName: TargetTableName, TableStatus: 'CREATING' } };
    },
    'dynamodb:Scan': (_account, { TableName }) => {
      const found = items(String(TableName));
      return { Items: found, Count: found.length, ScannedCount: found.length };
    },
    'dynamodb:DeleteTable': (_account, { TableName }) => {
      if (!copies.delete(String(TableName))) throw new Error(`${String(TableName)} is deleted, which is no copy`);
      return { TableDescription: { TableName, TableStatus: 'DELETING' } };
    },
    'logs:StartQuery': () => ({ queryId: 'q' }),
    'logs:GetQueryResults': () => ({
      status: 'Complete',
      results: stack.logRows.map((row) => Object.entries(row).map(([field, value]) => ({ field, value }))),
    }),
    'monitoring:GetMetricStatistics': (_account, { Statistics }) => {
      const [statistic = ''] = Statistics as readonly string[];
      const value = statistic === 'Sum' ? 0 : stack.iteratorAgeMs;
      return { Datapoints: [{ Timestamp: Date.now() / 1000, [statistic]: value, Unit: 'Milliseconds' }] };
    },
    'monitoring:DescribeAlarms': (_account, { AlarmNames }) => ({
      MetricAlarms: (AlarmNames as readonly string[]).map((AlarmName) => ({
        AlarmName,
        StateValue: alarms.get(AlarmName) ?? 'OK',
        AlarmActions: ['arn:aws:sns:us-east-1:111122223333:pager'],
      })),
      CompositeAlarms: [],
    }),
    'monitoring:SetAlarmState': (_account, { AlarmName, StateValue }) => {
      alarms.set(String(AlarmName), String(StateValue));
      return {};
    },
    'monitoring:DescribeAlarmHistory': (_account, { AlarmName }) => ({
      AlarmHistoryItems:
        alarms.get(String(AlarmName)) === 'ALARM'
          ? [{ AlarmName, HistorySummary: 'Successfully executed action arn:aws:sns:us-east-1:111122223333:pager' }]
          : [],
    }),
    'budgets:DescribeBudget': (_account, { BudgetName }) => ({
      Budget: {
        BudgetName,
        BudgetType: 'COST',
        TimeUnit: 'MONTHLY',
        BudgetLimit: { Amount: '20', Unit: 'USD' },
        CalculatedSpend: { ActualSpend: { Amount: stack.spentDollars, Unit: 'USD' } },
      },
    }),
    'ce:GetCostAndUsage': () => ({
      ResultsByTime: stack.dollarsByDay.map((Amount, at) => ({
        TimePeriod: { Start: `2026-01-0${at + 1}`, End: `2026-01-0${at + 2}` },
        Groups: [{ Keys: ['AWS Lambda'], Metrics: { UnblendedCost: { Amount, Unit: 'USD' } } }],
      })),
    }),
  };
}
