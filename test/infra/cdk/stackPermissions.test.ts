import { describe, expect, it } from 'vitest';
import { logicalName } from '../../../infra/cdk/createFunctions.ts';
import { FUNCTIONS, type FunctionName } from '../../../infra/topology.ts';
import { allowedTo as allowedBy } from './allowedTo.ts';
import { resolve, resource, resourcesOf, synthesizeStack } from './synthesizeStack.ts';

const template = synthesizeStack();
const allowedTo = (name: FunctionName, from = template) => allowedBy(name, from);

const on = (target: string, service: string, ...actions: string[]) =>
  actions.map((action) => `<${target}> ${service}:${action}`);
const table = (name: string, ...actions: string[]) => on(`${name}.Arn`, 'dynamodb', ...actions);
const queryIndex = (table: string, name: string) => `<${table}.Arn>/index/${name} dynamodb:Query`;
const queue = (name: string, ...actions: string[]) => on(`${name}.Arn`, 'sqs', ...actions);
const log = (name: string) => on(`${name}Log.Arn`, 'logs', 'CreateLogStream', 'PutLogEvents');

const READ_OBJECTS = [
  ...table('ObjectsTable', 'GetItem', 'BatchGetItem', 'Query'),
  ...['byController', 'byCoOwned', 'bySelects'].map((name) => queryIndex('ObjectsTable', name)),
];
const WRITE_OBJECTS = [
  ...table('ObjectsTable', 'UpdateItem'),
  ...table('VersionsTable', 'UpdateItem'),
  ...table('NamespacesTable', 'GetItem', 'Query', 'UpdateItem', 'DeleteItem'),
];
const READ_STREAM = [
  ...on('ObjectsTable.StreamArn', 'dynamodb', 'DescribeStream', 'GetRecords', 'GetShardIterator'),
  '* dynamodb:ListStreams',
  ...queue('GivenUpQueue', 'SendMessage'),
];

const ALLOWED: Readonly<Record<FunctionName, readonly string[]>> = {
  api: [
    ...log('ApiFunction'),
    ...READ_OBJECTS,
    ...WRITE_OBJECTS,
    ...table('ObjectsTable', 'DeleteItem'),
    ...table('VersionsTable', 'GetItem'),
    ...table('LogTable', 'GetItem', 'Query', 'PutItem', 'UpdateItem'),
    ...table('KeysTable', 'GetItem'),
    ...queue('WorkQueue', 'SendMessage'),
  ],
  authorize: [...log('AuthorizeFunction'), ...table('VersionsTable', 'GetItem')],
  record: [
    ...log('RecordFunction'),
    ...READ_STREAM,
    ...table('LogTable', 'GetItem', 'Query', 'PutItem'),
    ...table('VersionsTable', 'UpdateItem'),
  ],
  enqueue: [
    ...log('EnqueueFunction'),
    ...READ_STREAM,
    ...READ_OBJECTS,
    ...table('NamespacesTable', 'GetItem', 'Query', 'UpdateItem', 'DeleteItem'),
    ...table('KeysTable', 'BatchGetItem'),
    ...queue('WorkQueue', 'SendMessage'),
  ],
  sync: [
    ...log('SyncFunction'),
    ...READ_OBJECTS,
    ...WRITE_OBJECTS,
    ...table('LogTable', 'GetItem', 'Query', 'PutItem'),
    ...table('KeysTable', 'GetItem', 'UpdateItem'),
    ...queue(
      'WorkQueue',
      'SendMessage',
      'ChangeMessageVisibility',
      'ReceiveMessage',
      'DeleteMessage',
      'GetQueueAttributes',
    ),
    ...queue('DeadLetterQueue', 'SendMessage'),
  ],
  resync: [
    ...log('ResyncFunction'),
    // It lists objects and finds none by an index.
    ...table('ObjectsTable', 'GetItem', 'Query'),
    ...WRITE_OBJECTS,
    ...table('LogTable', 'GetItem', 'Query', 'PutItem'),
    queryIndex('KeysTable', 'overdue'),
    ...queue('WorkQueue', 'SendMessage'),
    ...table('ObjectsTable', 'Scan'),
    ...on('ObjectsTable.StreamArn', 'dynamodb', 'GetShardIterator', 'GetRecords'),
    ...queue('GivenUpQueue', 'SendMessage', 'ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'),
  ],
};

const names = Object.keys(FUNCTIONS) as FunctionName[];

describe('least privilege', () => {
  it.each(names)('the role of %s allows exactly what the table lists', (name) => {
    expect(new Set(allowedTo(name))).toEqual(new Set(ALLOWED[name]));
  });

  it.each(names)('the role of %s has no managed policy, and only Lambda can assume it', (name) => {
    const { Role } = resolve(resource(template, logicalName(name)).Properties) as { Role: string };
    const { Properties } = resource(template, Role.replace(/^<(\w+)\.Arn>$/, '$1'));
    expect(Properties).not.toHaveProperty('ManagedPolicyArns');
    expect(Properties['AssumeRolePolicyDocument']).toMatchObject({
      Statement: [{ Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } }],
    });
  });

  it('no policy is outside of the roles', () => {
    expect(resourcesOf(template, 'AWS::IAM::Policy')).toEqual({});
  });

  it('tracing adds only the permission to write traces', () => {
    const traced = synthesizeStack({ tracing: true });
    const before = new Set(allowedTo('sync'));
    const added = allowedTo('sync', traced).filter((line) => !before.has(line));
    expect(added).toEqual(['* xray:PutTelemetryRecords', '* xray:PutTraceSegments']);
    expect(resource(traced, 'SyncFunction').Properties['TracingConfig']).toEqual({ Mode: 'Active' });
  });

  it('traces at a rate add only the permission to send spans, of those who make them, and no tracing of Lambda', () => {
    const sampled = synthesizeStack({ tracing: { sampleRate: 0.01 } });
    const addedTo = (name: Parameters<typeof allowedTo>[0]) => {
      const before = new Set(allowedTo(name));
      return allowedTo(name, sampled).filter((line) => !before.has(line));
    };
    const spans = ['* xray:PutTraceSegments'];
    expect([addedTo('api'), addedTo('sync'), addedTo('enqueue'), addedTo('record')]).toEqual([spans, spans, [], []]);
    const { Environment, TracingConfig } = resource(sampled, 'SyncFunction').Properties;
    expect(TracingConfig).toBeUndefined();
    expect(Environment).toMatchObject({ Variables: { DRIFTLESS_TRACE_SAMPLE_RATE: '0.01' } });
  });

  it('identities that are named after instances add only the permission to ask for instances', () => {
    const identity = { arn: 'arn:aws:iam::111122223333:role/Worker', groups: ['system:nodes'] };
    const named = synthesizeStack({ identities: [{ ...identity, username: 'system:node:{{EC2PrivateDNSName}}' }] });
    const before = new Set(allowedTo('authorize'));
    expect(allowedTo('authorize', named).filter((line) => !before.has(line))).toEqual(['* ec2:DescribeInstances']);
    const other = synthesizeStack({ identities: [{ ...identity, username: 'worker:{{SessionName}}' }] });
    expect(new Set(allowedTo('authorize', other))).toEqual(before);
  });
});
