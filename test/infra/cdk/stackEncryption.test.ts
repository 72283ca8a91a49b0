import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { FUNCTIONS, type FunctionName } from '../../../infra/topology.ts';
import { allowedTo } from './allowedTo.ts';
import { type Resource, resolve, resource, resourcesOf, synthesizeStack } from './synthesizeStack.ts';
import { statementLines } from './templateStatements.ts';

const KEY = 'arn:aws:kms:eu-central-1:111122223333:key/01234567-89ab-cdef-0123-456789abcdef';
const VAULT = 'arn:aws:backup:eu-west-1:444455556666:backup-vault:copies';

const without = synthesizeStack({ alarmEmail: 'ops@example.com', audit: 'metadata' });
const encrypted = synthesizeStack({
  alarmEmail: 'ops@example.com',
  audit: 'metadata',
  encryptionKey: 'create',
  backupCopies: { vaultArn: VAULT },
});
const withForeignKey = synthesizeStack({ encryptionKey: KEY });

function resourcesIn(template: Template): Readonly<Record<string, Resource>> {
  return template.toJSON()['Resources'] as Record<string, Resource>;
}

/** Where each kind of resource names its key. */
const NAMES_KEY: Readonly<Record<string, (properties: Readonly<Record<string, unknown>>) => unknown>> = {
  'AWS::DynamoDB::Table': ({ SSESpecification }) =>
    (SSESpecification as { readonly KMSMasterKeyId?: unknown } | undefined)?.KMSMasterKeyId,
  'AWS::SQS::Queue': ({ KmsMasterKeyId }) => KmsMasterKeyId,
  'AWS::SNS::Topic': ({ KmsMasterKeyId }) => KmsMasterKeyId,
  'AWS::Logs::LogGroup': ({ KmsKeyId }) => KmsKeyId,
  'AWS::Backup::BackupVault': ({ EncryptionKeyArn }) => EncryptionKeyArn,
};

describe('a key of the account', () => {
  const kept = Object.entries(resourcesIn(encrypted)).filter(([, { Type }]) => Type in NAMES_KEY);

  it.each(kept)('encrypts %s', (_, { Type, Properties }) => {
    expect(NAMES_KEY[Type]?.(resolve(Properties) as Resource['Properties'])).toBe('<EncryptionKey.Arn>');
  });

  it('encrypts five tables, three queues, every log, the topic and the vault', () => {
    const count = (type: string) => kept.filter(([, { Type }]) => Type === type).length;
    expect(Object.keys(NAMES_KEY).map(count)).toEqual([5, 3, 1, 11, 1]);
  });

  it.each(Object.keys(FUNCTIONS) as FunctionName[])('is for %s to decrypt tables and its environment', (name) => {
    const id = `${name.charAt(0).toUpperCase()}${name.slice(1)}Function`;
    expect(resolve(resource(encrypted, id).Properties)).toMatchObject({ KmsKeyArn: '<EncryptionKey.Arn>' });
    const actions = allowedTo(name, encrypted).flatMap((line) => line.split('<EncryptionKey.Arn> ')[1] ?? []);
    const reading = ['kms:Decrypt', 'kms:DescribeKey'];
    const writing = ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];
    expect(actions).toEqual(name === 'authorize' ? reading : [...reading, ...writing]);
    expect(allowedTo(name, without).filter((line) => line.includes('kms:'))).toEqual([]);
  });

  it('gets a new version each year, and outlives the stack as the tables do', () => {
    const key = Object.values(resourcesOf(encrypted, 'AWS::KMS::Key'));
    expect(key).toMatchObject([
      {
        Properties: { EnableKeyRotation: true, PendingWindowInDays: 30 },
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
      },
    ]);
    const going = synthesizeStack({ encryptionKey: 'create', removalPolicy: 'destroy' });
    expect(Object.values(resourcesOf(going, 'AWS::KMS::Key'))).toMatchObject([{ DeletionPolicy: 'Delete' }]);
  });

  it('may be one that exists, whose policy is its owner`s', () => {
    expect(resourcesOf(withForeignKey, 'AWS::KMS::Key')).toEqual({});
    expect(resource(withForeignKey, 'ObjectsTable').Properties).toMatchObject({
      SSESpecification: { KMSMasterKeyId: KEY, SSEEnabled: true, SSEType: 'KMS' },
    });
    expect(allowedTo('authorize', withForeignKey)).toContain(`${KEY} kms:Decrypt`);
  });

  it('admits the stack`s roles by its own policy, through what they store, so that a running stack can be given one', () => {
    const policyIn = (knobs: Readonly<Record<string, unknown>>) => {
      const [key] = Object.values(resourcesOf(synthesizeStack(knobs), 'AWS::KMS::Key'));
      const { Statement } = resolve(key?.Properties['KeyPolicy']) as { Statement: Record<string, unknown>[] };
      return Statement.filter(({ Principal }) => JSON.stringify(Principal) === '{"AWS":"*"}');
    };
    expect(policyIn({ encryptionKey: 'create' })).toEqual([
      {
        Effect: 'Allow',
        Principal: { AWS: '*' },
        Action: ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'],
        Resource: '*',
        Condition: {
          StringEquals: { 'kms:CallerAccount': '111122223333' },
          StringLike: {
            'kms:ViaService': ['dynamodb', 'sqs', 'lambda'].map((name) => `${name}.eu-central-1.amazonaws.com*`),
          },
          ArnLike: { 'aws:PrincipalArn': 'arn:aws:iam::111122223333:role/driftless-*' },
        },
      },
    ]);
    expect(JSON.stringify(policyIn({ encryptionKey: 'create', stackName: 'a-very-long-name-for-a-stack' }))).toContain(
      ':role/a-very-long-name-for*"',
    );
  });

  it('admits besides roles of the account only the services that need it, and the account of the copies', () => {
    const admitted = statementLines(encrypted)
      .filter((line) => line.startsWith('EncryptionKey: '))
      .map((line) => / to (\S+)/.exec(line)?.[1] ?? '');
    expect(new Set(admitted)).toEqual(
      new Set([
        '*',
        'arn:aws:iam::444455556666:root',
        'arn:aws:iam::ACCOUNT:root',
        'cloudwatch.amazonaws.com',
        'logs.REGION.amazonaws.com',
      ]),
    );
  });

  it.each(['AWS::DynamoDB::Table', 'AWS::SQS::Queue'])(
    'changes nothing else of any %s, so none is replaced',
    (type) => {
      const plain = (template: Template) =>
        Object.entries(resourcesOf(template, type)).map(([id, { Properties, ...others }]) => {
          const { SSESpecification: _sse, SqsManagedSseEnabled: _managed, KmsMasterKeyId: _key, ...same } = Properties;
          const { KmsDataKeyReusePeriodSeconds: _reuse, ...rest } = same;
          return [id, rest, others];
        });
      expect(plain(encrypted)).toEqual(plain(without));
      expect(resourcesOf(encrypted, type)).not.toEqual(resourcesOf(without, type));
    },
  );

  it('is reused by SQS for an hour, since each use is billed', () => {
    for (const { Properties } of Object.values(resourcesOf(encrypted, 'AWS::SQS::Queue'))) {
      expect(Properties['KmsDataKeyReusePeriodSeconds']).toBe(3600);
    }
  });
});

describe('copies of backups', () => {
  const only = (type: string) => {
    const [found] = Object.values(resourcesOf(encrypted, type));
    return resolve(found?.Properties) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };

  it('are made each day, and kept longer than what they are copies of', () => {
    expect(only('AWS::Backup::BackupPlan')['BackupPlan']).toMatchObject({
      BackupPlanRule: [
        {
          ScheduleExpression: 'cron(0 3 * * ? *)',
          Lifecycle: { DeleteAfterDays: 7 },
          CopyActions: [{ DestinationBackupVaultArn: VAULT, Lifecycle: { DeleteAfterDays: 35 } }],
        },
      ],
    });
  });

  it('are of the objects alone, with a role that only AWS Backup can assume', () => {
    expect(only('AWS::Backup::BackupSelection')['BackupSelection']).toMatchObject({
      Resources: ['<ObjectsTable.Arn>'],
    });
    const lines = statementLines(encrypted).filter((line) => line.startsWith('BackupRole: '));
    expect(lines).toEqual([
      'BackupRole: Allow arn:aws:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup',
      'BackupRole: Allow sts:AssumeRole to backup.amazonaws.com',
    ]);
  });

  it('come from a vault whose name no other stack has, and that stays', () => {
    const [vault] = Object.values(resourcesOf(encrypted, 'AWS::Backup::BackupVault'));
    expect(JSON.stringify(vault?.Properties['BackupVaultName'])).toContain('AWS::StackId');
    expect(vault).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
  });
});
