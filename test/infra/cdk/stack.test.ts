import { Match } from 'aws-cdk-lib/assertions';
import { parse } from 'yaml';
import { describe, expect, it, test } from 'vitest';
import { logicalName } from '../../../infra/cdk/createFunctions.ts';
import { DEFAULT_STACK_PROPS } from '../../../infra/cdk/DriftlessStackProps.ts';
import { FUNCTIONS, type FunctionSpec, OVERDUE_GRACE_MS, WORK_QUEUE } from '../../../infra/topology.ts';
import { FUNCTION_VARIABLES, readEnvironment, VARIABLES } from '../../../lambdas/functions/readEnvironment.ts';
import { CLOUD_SYNC_CONFIG } from '../../../lambdas/functions/sync/SyncConfig.ts';
import { resolve, resource, resourcesOf, synthesizeStack } from './synthesizeStack.ts';

const IDENTITY = { arn: 'arn:aws:iam::111122223333:role/Deployer', username: 'deployer', groups: ['system:masters'] };
const template = synthesizeStack({ identities: [IDENTITY], config: { controllers: { pod: { enabled: true } } } });
const specs = Object.values<FunctionSpec>(FUNCTIONS);

function mappingsOf(name: FunctionSpec['name']) {
  const all = Object.values(resourcesOf(template, 'AWS::Lambda::EventSourceMapping'));
  return all
    .map(({ Properties }) => resolve(Properties) as Record<string, unknown>)
    .filter(({ FunctionName }) => FunctionName === `<${logicalName(name)}>`);
}

describe('each function', () => {
  it.each(specs)('$name has the timeout of the topology, and runs on 64-bit ARM and Node 24', (spec) => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      Timeout: spec.timeoutMs / 1000,
      MemorySize: DEFAULT_STACK_PROPS.memoryMb[spec.name],
      Architectures: ['arm64'],
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      Role: { 'Fn::GetAtt': [Match.stringLikeRegexp(`^${logicalName(spec.name)}Role`), 'Arn'] },
      TracingConfig: Match.absent(),
    });
    expect(resource(template, logicalName(spec.name)).Properties['Timeout']).toBe(spec.timeoutMs / 1000);
  });

  it.each(specs)('$name logs JSON into its own log group, which keeps logs for 30 days', ({ name }) => {
    const { LoggingConfig } = resource(template, logicalName(name)).Properties as {
      LoggingConfig: { LogGroup: { Ref: string } };
    };
    expect(LoggingConfig).toMatchObject({ LogFormat: 'JSON', ApplicationLogLevel: 'INFO', SystemLogLevel: 'WARN' });
    expect(LoggingConfig.LogGroup.Ref).toMatch(new RegExp(`^${logicalName(name)}Log`));
    expect(resource(template, LoggingConfig.LogGroup.Ref).Properties['RetentionInDays']).toBe(30);
  });

  it.each(specs)('$name gets its own environment variables and no others', ({ name }) => {
    const { Environment } = resource(template, logicalName(name)).Properties as {
      Environment: { Variables: Record<string, unknown> };
    };
    const variables = resolve(Environment.Variables) as Record<string, string>;
    expect(Object.keys(readEnvironment(name, variables))).toEqual(FUNCTION_VARIABLES[name]);
    const own = Object.keys(variables).filter((variable) => variable.startsWith('DRIFTLESS_'));
    expect(own.toSorted()).toEqual(FUNCTION_VARIABLES[name].map((variable) => VARIABLES[variable]).toSorted());
    expect(variables).toMatchObject({
      NODE_OPTIONS: '--enable-source-maps',
      POWERTOOLS_METRICS_NAMESPACE: 'Driftless',
    });
  });

  it.each(
    specs.map(({ name, trigger }) => [
      name,
      trigger.from === 'http' || trigger.from === 'authorizer' ? 'Terminate' : 'Allow',
    ]),
  )('the loop detection of %s is set to %s', (name, recursion) =>
    expect(resource(template, logicalName(name)).Properties['RecursiveLoop']).toBe(recursion),
  );

  it('sync gets the names of the tables and the URLs of the queues in its environment', () => {
    const { Environment } = resource(template, 'SyncFunction').Properties as {
      Environment: { Variables: Record<string, unknown> };
    };
    expect(resolve(Environment.Variables)).toMatchObject({
      DRIFTLESS_OBJECTS_TABLE: '<ObjectsTable>',
      DRIFTLESS_VERSIONS_TABLE: '<VersionsTable>',
      DRIFTLESS_NAMESPACES_TABLE: '<NamespacesTable>',
      DRIFTLESS_KEYS_TABLE: '<KeysTable>',
      DRIFTLESS_WORK_QUEUE_URL: '<WorkQueue>',
      DRIFTLESS_DEAD_LETTER_QUEUE_URL: '<DeadLetterQueue>',
      DRIFTLESS_CONFIG: '{"controllers":{"pod":{"enabled":true}}}',
    });
  });

  it('authorize gets the cluster id and the identities in its environment', () => {
    const { Environment } = resource(template, 'AuthorizeFunction').Properties as {
      Environment: { Variables: Record<string, unknown> };
    };
    expect(resolve(Environment.Variables)).toMatchObject({
      DRIFTLESS_CLUSTER_ID: 'driftless-eu-central-1-111122223333',
      DRIFTLESS_PARTITION: 'aws',
    });
    const variables = resolve(Environment.Variables) as Record<string, string>;
    expect(JSON.parse(variables['DRIFTLESS_IDENTITIES'] ?? '')).toEqual([
      IDENTITY,
      // The smoke test's.
      { arn: expect.stringContaining('<SmokeTestRole') as string, username: 'driftless:smoke-test', groups: [] },
    ]);
  });
});

describe('triggers', () => {
  it.each(['record', 'enqueue'] as const)(
    '%s reads the stream of objects from its beginning, and sends given-up batches to a queue',
    (name) => {
      const { batchSize, windowMs, retries, maxAgeMs } = FUNCTIONS[name].trigger;
      expect(mappingsOf(name)).toEqual([
        {
          FunctionName: `<${logicalName(name)}>`,
          EventSourceArn: '<ObjectsTable.StreamArn>',
          StartingPosition: 'TRIM_HORIZON',
          BatchSize: batchSize,
          MaximumBatchingWindowInSeconds: windowMs / 1000,
          BisectBatchOnFunctionError: true,
          FunctionResponseTypes: ['ReportBatchItemFailures'],
          MaximumRetryAttempts: retries,
          MaximumRecordAgeInSeconds: maxAgeMs / 1000,
          DestinationConfig: { OnFailure: { Destination: '<GivenUpQueue.Arn>' } },
          FilterCriteria: {
            Filters: [
              { Pattern: JSON.stringify({ eventName: ['INSERT', 'MODIFY'] }) },
              {
                Pattern: JSON.stringify({
                  eventName: ['REMOVE'],
                  dynamodb: { OldImage: { uid: { S: [{ exists: true }] } } },
                }),
              },
            ],
          },
        },
      ]);
    },
  );

  it('sync receives keys in batches and may fail single keys of a batch', () => {
    const { batchSize } = FUNCTIONS.sync.trigger;
    expect(mappingsOf('sync')).toEqual([
      {
        FunctionName: '<SyncFunction>',
        EventSourceArn: '<WorkQueue.Arn>',
        BatchSize: batchSize,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        // The account's quota is not stated (see planConcurrency).
        ScalingConfig: { MaximumConcurrency: 2 },
      },
    ]);
  });

  it('resync receives the notices of given-up batches', () => {
    expect(mappingsOf('resync')).toEqual([expect.objectContaining({ EventSourceArn: '<GivenUpQueue.Arn>' })]);
    // With a maximum concurrency, Lambda would poll the empty queue more than twice as often, and SQS bills each request.
    expect(mappingsOf('resync')[0]).not.toHaveProperty('ScalingConfig');
  });

  it('no other function reads a stream or a queue', () => {
    template.resourceCountIs('AWS::Lambda::EventSourceMapping', 4);
  });

  it.each([
    ['rate(1 minute)', { what: 'overdue', graceMs: OVERDUE_GRACE_MS }],
    ['rate(5 minutes)', { what: 'heartbeat' }],
    ['rate(1 day)', { what: 'all', spread: { sent: 0 } }],
  ])('resync is invoked at %s with %o', (rate, request) => {
    template.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: rate,
      State: 'ENABLED',
      Targets: [Match.objectLike({ Arn: { 'Fn::GetAtt': ['ResyncFunction', 'Arn'] }, Input: JSON.stringify(request) })],
    });
  });

  it.each(['Authorize', 'Api'])('%s is invoked every five minutes, so that it stays warm', (name) => {
    template.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(5 minutes)',
      State: 'ENABLED',
      Targets: [
        Match.objectLike({
          Arn: { 'Fn::GetAtt': [`${name}Function`, 'Arn'] },
          Input: JSON.stringify({ what: 'warm' }),
        }),
      ],
    });
  });

  it('a deployment that creates or updates the stack queues every key', () => {
    const start = Object.entries(resourcesOf(template, 'Custom::AWS')).find(([id]) =>
      id.startsWith('QueueAllAtStart'),
    )?.[1];
    const { Create, Update } = resolve(start?.Properties) as { Create: string; Update: string };
    expect(JSON.parse(Create)).toMatchObject({
      service: 'Lambda',
      action: 'invoke',
      parameters: {
        FunctionName: '<ResyncFunction>',
        InvocationType: 'Event',
        Payload: '{"what":"all","spread":{"sent":0}}',
      },
    });
    expect(Update).toBe(Create);
  });
});

test('the visibility timeout is longer than a lock, a lock longer than the function timeout, and that longer than a sync', () => {
  const { Properties } = resource(template, 'WorkQueue');
  const visibilityMs = Number(Properties['VisibilityTimeout']) * 1000;
  const functionMs = Number(resource(template, 'SyncFunction').Properties['Timeout']) * 1000;
  const lockMs = CLOUD_SYNC_CONFIG.syncTimeoutMs + CLOUD_SYNC_CONFIG.lockMarginMs;
  expect(visibilityMs).toBe(WORK_QUEUE.visibilityTimeoutMs);
  expect(visibilityMs).toBeGreaterThan(lockMs);
  expect(lockMs).toBeGreaterThan(functionMs);
  expect(functionMs).toBeGreaterThan(CLOUD_SYNC_CONFIG.syncTimeoutMs);
});

describe('outputs', () => {
  const outputs = resolve(template.toJSON()['Outputs']) as Record<string, { Value: string }>;
  const server = 'https://<Api>.execute-api.eu-central-1.amazonaws.com/k8s';

  it('are the URL, the cluster id, a kubeconfig, and what the smoke test came to', () => {
    expect(Object.keys(outputs).toSorted()).toEqual(['ApiUrl', 'ClusterId', 'Kubeconfig', 'SmokeTestOutcome']);
    expect(outputs['ApiUrl']?.Value).toBe(server);
    expect(outputs['ClusterId']?.Value).toBe('driftless-eu-central-1-111122223333');
  });

  it('hold a kubeconfig that asks the AWS CLI for a token for this control plane', () => {
    const config = parse(outputs['Kubeconfig']?.Value ?? '') as Record<string, unknown>;
    const id = 'driftless-eu-central-1-111122223333';
    expect(config).toMatchObject({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': id,
      clusters: [{ name: id, cluster: { server } }],
      contexts: [{ name: id, context: { cluster: id, user: id, namespace: 'default' } }],
    });
    const [{ user }] = config['users'] as [{ user: { exec: { command: string; args: string[] } } }];
    expect([user.exec.command, ...user.exec.args].join(' ')).toBe(
      `aws --region eu-central-1 eks get-token --cluster-name ${id} --output json`,
    );
  });
});
