import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { policyFor } from '../../../infra/verify/policy.ts';

const FOLDER = 'infra/verify';
const WRITING = 'aws/AwsChanges.ts';
const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const textOf = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

/** The operations that a text sends: commands of the SDK, and its paginators. */
function operationsIn(text: string): string[] {
  return [...text.matchAll(/\b(?:new (\w+)Command\b|paginate(\w+)\()/g)].map(
    ([, command, paged]) => command ?? paged ?? '',
  );
}

test('only one file of verify sends commands that write, and these alone', () => {
  const reading = names.filter((name) => name !== WRITING).flatMap((name) => operationsIn(textOf(name)));
  expect(reading.length).toBeGreaterThan(10);
  expect(reading.filter((name) => !/^(?:Get|List|Describe|Scan|StartQuery$)/.test(name))).toEqual([]);
  expect(operationsIn(textOf(WRITING)).toSorted()).toEqual([
    'DeleteFunctionConcurrency',
    'DeleteTable',
    'PutFunctionConcurrency',
    'RestoreTableToPointInTime',
    'SetAlarmState',
  ]);
});

/** What AWS asks of whoever restores a table, and reads one that a key of the account encrypts, and what the reads that verify shares with the preflight need. */
const UNNAMED = [
  'dynamodb:BatchWriteItem',
  'dynamodb:DeleteItem',
  'dynamodb:GetItem',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:UpdateItem',
  'kms:CreateGrant',
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKey*',
  'kms:ReEncrypt*',
  'ec2:DescribeAvailabilityZones',
  'ec2:DescribeSubnets',
  'lambda:ListLayers',
];

test('the policy has each permission that a call names, and no other', () => {
  const actions = names
    .filter((name) => name.startsWith('aws/'))
    .flatMap((name) => [...textOf(name).matchAll(/'([a-z0-9]+:[A-Z]\w+)'/g)].map(([, action = '']) => action));
  const allowed = policyFor('driftless').Statement.flatMap(({ Action }) => Action);
  expect(allowed.toSorted()).toEqual([...new Set([...actions, ...UNNAMED])].toSorted());
});
