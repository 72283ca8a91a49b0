import { Aws, Duration } from 'aws-cdk-lib';
import { AccountPrincipal, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type CfnKey, type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { removalPolicyOf } from '../createTables.ts';
import type { DriftlessStackProps } from '../DriftlessStackProps.ts';

/** What somebody does with a key that encrypts what they keep. */
const USE = ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'];

/**
 * Creates the key that encrypts all that the stack keeps, or takes the one that the user names; `undefined` if AWS' own keys do it. It stays when the stack is deleted, unless the tables do not: whoever deletes the key deletes all that it has encrypted.
 * KMS waits for a month before it does that, and can be told to keep it until then.
 */
export function createEncryptionKey(scope: Construct, props: DriftlessStackProps): IKey | undefined {
  const { encryptionKey } = props;
  if (encryptionKey === undefined) return undefined;
  if (encryptionKey !== 'create') return Key.fromKeyArn(scope, 'EncryptionKey', encryptionKey);
  const key = new Key(scope, 'EncryptionKey', {
    description: 'Encrypts what a Driftless stack keeps',
    enableKeyRotation: true,
    pendingWindow: Duration.days(30),
    removalPolicy: removalPolicyOf(props),
  });
  // A key with another logical id would be another key.
  (key.node.defaultChild as CfnKey).overrideLogicalId('EncryptionKey');
  for (const statement of keyStatements(props)) key.addToResourcePolicy(statement);
  return key;
}

/** Who uses the key besides roles of this account, which their own policies let do that. */
function keyStatements({ alarmEmail, backupCopies }: DriftlessStackProps): readonly PolicyStatement[] {
  return [
    letLogs(),
    ...(alarmEmail === undefined ? [] : [letAlarms()]),
    ...(backupCopies ? letCopies(backupCopies.vaultArn) : []),
  ];
}

/** CloudWatch Logs encrypts the log groups of this account with it. */
function letLogs(): PolicyStatement {
  return new PolicyStatement({
    principals: [new ServicePrincipal(`logs.${Aws.REGION}.amazonaws.com`)],
    actions: USE,
    resources: ['*'],
    conditions: {
      ArnLike: {
        'kms:EncryptionContext:aws:logs:arn': `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:*`,
      },
    },
  });
}

/** An alarm is published to the topic by CloudWatch itself. The topic's own policy admits alarms of this account only. */
function letAlarms(): PolicyStatement {
  return new PolicyStatement({
    principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
    actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
    resources: ['*'],
  });
}

/** The account of the copies reads the backups from which they are made. */
function letCopies(vaultArn: string): readonly PolicyStatement[] {
  const principals = [new AccountPrincipal(vaultArn.split(':')[4])];
  return [
    new PolicyStatement({ principals, actions: USE, resources: ['*'] }),
    new PolicyStatement({
      principals,
      actions: ['kms:CreateGrant'],
      resources: ['*'],
      conditions: { Bool: { 'kms:GrantIsForAWSResource': 'true' } },
    }),
  ];
}
