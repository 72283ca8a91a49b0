import type { FunctionName } from '../../topology.ts';
import type { Grant } from './Grant.ts';

const ON_KEY = { on: 'encryptionKey', when: 'encryptionKey' } as const;

const READ_TABLES: Grant = {
  ...ON_KEY,
  actions: ['kms:Decrypt', 'kms:DescribeKey'],
  caller: 'infra/cdk/createTables.ts#createTable',
  service: 'DynamoDB',
  why: 'Decrypts tables, indexes and streams.',
};

const WRITE_TABLES: Grant = {
  ...ON_KEY,
  actions: ['kms:Encrypt', 'kms:ReEncryptFrom', 'kms:ReEncryptTo', 'kms:GenerateDataKey'],
  caller: 'infra/cdk/createTables.ts#createTable',
  service: 'DynamoDB',
  why: 'Encrypts what is written.',
};

const USE_QUEUES: Grant = {
  ...ON_KEY,
  actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
  caller: 'infra/cdk/createQueues.ts#encryptionOf',
  service: 'SQS',
  why: 'Encrypts messages that are sent, and decrypts those that are received.',
};

const READ_ENVIRONMENT: Grant = {
  ...ON_KEY,
  actions: ['kms:Decrypt'],
  caller: 'infra/cdk/createFunctions.ts#createFunction',
  service: 'Lambda',
  why: 'Decrypts the environment when an instance starts.',
};

/** Returns what AWS' services do with the key of `encryptionKey` in the name of a function. */
export function keyGrants(name: FunctionName): readonly Grant[] {
  return [...storageGrants(name), READ_ENVIRONMENT];
}

/** The same, for a process that is no function. */
export function storageGrants(name: FunctionName): readonly Grant[] {
  return name === 'authorize' ? [READ_TABLES] : [READ_TABLES, WRITE_TABLES, USE_QUEUES];
}
