import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { TABLES } from '../../../infra/cdk/createTables.ts';
import { FUNCTIONS, WORK_QUEUE } from '../../../infra/topology.ts';
import { resolve, resource, resourcesOf, synthesizeStack } from './synthesizeStack.ts';

const template = synthesizeStack();

describe('tables', () => {
  const LOGICAL_IDS = {
    objects: 'ObjectsTable',
    versions: 'VersionsTable',
    namespaces: 'NamespacesTable',
    log: 'LogTable',
    keys: 'KeysTable',
  };
  const names = Object.keys(LOGICAL_IDS) as (keyof typeof LOGICAL_IDS)[];

  it('have fixed logical ids, so that an upgrade keeps them', () => {
    expect(Object.keys(resourcesOf(template, 'AWS::DynamoDB::Table')).toSorted()).toEqual(
      Object.values(LOGICAL_IDS).toSorted(),
    );
  });

  it('of the objects can be restored to any second of 35 days; a restore needs no other', () => {
    const enabled = { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 };
    const found = names.map((name) => [
      name,
      resource(template, LOGICAL_IDS[name]).Properties['PointInTimeRecoverySpecification'],
    ]);
    expect(Object.fromEntries(found)).toEqual({
      ...Object.fromEntries(names.map((name) => [name, { PointInTimeRecoveryEnabled: false }])),
      objects: enabled,
    });
  });

  it.each(names)('%s is billed on demand, and retained unless its first deployment fails', (name) => {
    const { Properties, ...policies } = resource(template, LOGICAL_IDS[name]);
    expect(Properties).toMatchObject({ BillingMode: 'PAY_PER_REQUEST' });
    expect(policies).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
    // Protected from its creation on, it could not be removed with what else a failed deployment has created.
    expect(Properties).not.toHaveProperty('DeletionProtectionEnabled');
    // With a fixed name, CloudFormation could not create the new table of a replacement beside the old one.
    expect(Properties).not.toHaveProperty('TableName');
  });

  it.each(names)('%s has the keys, indexes and time to live that its adapter needs', (name) => {
    const { Properties } = resource(template, LOGICAL_IDS[name]);
    const { partitionKey, sortKey, indexes = [], globalIndexes = [], timeToLive, streamed } = TABLES[name];
    const key = [partitionKey.name, ...(sortKey ? [sortKey.name] : [])];
    expect((Properties['KeySchema'] as { AttributeName: string }[]).map(({ AttributeName }) => AttributeName)).toEqual(
      key,
    );
    const indexNames = (list: unknown) => ((list ?? []) as { IndexName: string }[]).map(({ IndexName }) => IndexName);
    expect(indexNames(Properties['LocalSecondaryIndexes'])).toEqual(indexes.map((index) => index.name));
    expect(indexNames(Properties['GlobalSecondaryIndexes'])).toEqual(globalIndexes.map((index) => index.name));
    expect(Properties['TimeToLiveSpecification']).toEqual(timeToLive && { AttributeName: timeToLive, Enabled: true });
    expect(Properties['StreamSpecification']).toEqual(streamed && { StreamViewType: 'NEW_AND_OLD_IMAGES' });
  });

  it('local indexes project only the attributes that the adapter defines', () => {
    const { LocalSecondaryIndexes } = resource(template, 'ObjectsTable').Properties as {
      LocalSecondaryIndexes: { Projection: unknown }[];
    };
    const projections = (TABLES.objects.indexes ?? []).map(({ projected }) =>
      projected.length > 0
        ? { ProjectionType: 'INCLUDE', NonKeyAttributes: [...projected] }
        : { ProjectionType: 'KEYS_ONLY' },
    );
    expect(LocalSecondaryIndexes.map(({ Projection }) => Projection)).toEqual(projections);
  });
});

describe('the protection of tables', () => {
  const callsOf = (of: Template) =>
    Object.entries(resourcesOf(of, 'Custom::AWS')).flatMap(([logicalId, { Properties }]) => {
      const call = JSON.parse(String(resolve(Properties['Create']))) as { action: string; parameters: object };
      return call.action === 'updateTable' ? [{ logicalId, ...call, again: resolve(Properties['Update']) }] : [];
    });

  it.each([true, false])('is switched by the last step of a deployment: %s', (deletionProtection) => {
    const calls = callsOf(synthesizeStack({ deletionProtection }));
    const wanted = ['ObjectsTable', 'VersionsTable', 'NamespacesTable', 'LogTable', 'KeysTable'];
    expect(calls.map(({ parameters }) => parameters)).toEqual(
      wanted.map((id) => ({ TableName: `<${id}>`, DeletionProtectionEnabled: deletionProtection })),
    );
    for (const { action, parameters, again } of calls)
      expect(JSON.parse(String(again))).toMatchObject({ action, parameters });
  });

  it('waits for everything else, so that no failure leaves a protected table behind', () => {
    const [first, ...others] = callsOf(template).map(({ logicalId }) => logicalId);
    const all = template.toJSON()['Resources'] as Record<string, { DependsOn?: readonly string[] }>;
    const waitsFor = new Set(all[String(first)]?.DependsOn);
    expect(Object.keys(all).filter((id) => !waitsFor.has(id) && !id.startsWith('Protect'))).toEqual([]);
    for (const id of others) expect(all[id]?.DependsOn).toContain(first);
  });

  it('is made again when the table changes, since CloudFormation knows nothing of it', () => {
    const idOf = (knobs: object) => callsOf(synthesizeStack({ ...knobs })).map(({ again }) => again);
    expect(idOf({ pointInTimeRecoveryDays: 7 })).not.toEqual(idOf({}));
  });

  it('is not switched for tables that were restored', () => {
    const restoredTables = {
      objects: { name: 'old', streamArn: 'arn:aws:dynamodb:eu-central-1:111122223333:table/old/stream/1' },
    };
    const names = callsOf(synthesizeStack({ restoredTables })).map(({ parameters }) => parameters);
    expect(JSON.stringify(names)).not.toContain('Objects');
    expect(names).toHaveLength(4);
  });
});

describe('queues', () => {
  it.each(['WorkQueue', 'DeadLetterQueue', 'GivenUpQueue'])(
    '%s is encrypted and retained, and keeps messages for 14 days',
    (id) => {
      const { Properties, ...policies } = resource(template, id);
      expect(Properties).toMatchObject({ SqsManagedSseEnabled: true, MessageRetentionPeriod: 14 * 24 * 3600 });
      expect(Properties).not.toHaveProperty('QueueName');
      expect(Properties).not.toHaveProperty('FifoQueue');
      expect(policies).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
    },
  );

  it.each(['WorkQueue', 'DeadLetterQueue', 'GivenUpQueue'])('%s accepts TLS only', (id) => {
    template.hasResourceProperties('AWS::SQS::QueuePolicy', {
      Queues: [{ Ref: id }],
      PolicyDocument: {
        Statement: [
          Match.objectLike({
            Effect: 'Deny',
            Action: 'sqs:*',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ],
      },
    });
  });

  it('a message that was received too often moves to the dead-letter queue', () => {
    expect(resolve(resource(template, 'WorkQueue').Properties['RedrivePolicy'])).toEqual({
      deadLetterTargetArn: '<DeadLetterQueue.Arn>',
      maxReceiveCount: WORK_QUEUE.maxReceives,
    });
  });

  it('the visibility timeout of notices is at least six timeouts of resync', () => {
    const visibilityMs = Number(resource(template, 'GivenUpQueue').Properties['VisibilityTimeout']) * 1000;
    expect(visibilityMs).toBeGreaterThanOrEqual(6 * FUNCTIONS.resync.timeoutMs);
  });
});
