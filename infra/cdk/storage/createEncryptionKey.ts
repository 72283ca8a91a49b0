import { Aws, Duration, Stack } from 'aws-cdk-lib';
import { AccountPrincipal, AnyPrincipal, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
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
  for (const statement of keyStatements(props, Stack.of(scope).stackName)) key.addToResourcePolicy(statement);
  return key;
}

/** Who uses the key besides roles and users of this account whose own policies let them do that. */
function keyStatements(
  { alarmEmail, backupCopies }: DriftlessStackProps,
  stackName: string,
): readonly PolicyStatement[] {
  return [
    letRoles(stackName),
    letLogs(),
    ...(alarmEmail === undefined ? [] : [letAlarms()]),
    ...(backupCopies ? letCopies(backupCopies.vaultArn) : []),
  ];
}

/** The services that use the key in the name of the stack's roles (https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html#conditions-kms-via-service lists them). */
const IN_NAME_OF_ROLES = ['dynamodb', 'sqs', 'lambda'];
/** CloudFormation names a role by its stack, its logical id and a random suffix. The name has at most 64 characters, so of a long stack's name only the beginning is in it; AWS does not say how much. */
const SURE_CHARACTERS = 20;

/**
 * The stack's roles use the key through what they store. Their own policies allow it too, but CloudFormation changes those after it has given the key to the tables of a running stack, and IAM takes a while to tell everybody.
 * The key's policy is there with the key, before any table has it. It knows the roles by the beginning of their names: by their ARNs, the key would have to wait for the roles, and these for the tables.
 */
function letRoles(stackName: string): PolicyStatement {
  const name = stackName.length > SURE_CHARACTERS ? `${stackName.slice(0, SURE_CHARACTERS)}*` : `${stackName}-*`;
  return new PolicyStatement({
    principals: [new AnyPrincipal()],
    actions: USE,
    resources: ['*'],
    conditions: {
      StringEquals: { 'kms:CallerAccount': Aws.ACCOUNT_ID },
      // Regions in China may add `.cn`.
      StringLike: { 'kms:ViaService': IN_NAME_OF_ROLES.map((service) => `${service}.${Aws.REGION}.amazonaws.com*`) },
      ArnLike: { 'aws:PrincipalArn': `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/${name}` },
    },
  });
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
