import type { Target } from '../grants/targets.ts';

/** Each target as `docs/permissions.md` calls it. */
export const TARGET_WORDS: Readonly<Record<Target, string>> = {
  objects: 'the table of objects',
  versions: 'the table of versions',
  namespaces: 'the table of namespaces',
  log: 'the table of the change log',
  keys: 'the table of keys',
  objectIndexes: 'the indexes of the table of objects',
  keyIndexes: 'the index of the table of keys',
  objectStream: 'the stream of the table of objects',
  workQueue: 'the work queue',
  deadLetterQueue: 'the queue of dead letters',
  givenUpQueue: 'the queue of batches that were given up',
  ownLog: 'its own log group',
  auditLog: 'the log group of the audit log',
  encryptionKey: 'the key of `encryptionKey`',
  imageRepository: "the repository of the CDK's images",
  resync: 'the function `resync`',
  gatewayAccount: "API Gateway's settings of the account",
  gatewayLogRole: "the role for API Gateway's logs",
  stack: 'this stack itself',
  everything: '**everything** (`*`)',
};
