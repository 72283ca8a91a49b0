import type { FunctionName } from '../topology.ts';
import type { QueueName } from './createQueues.ts';
import type { TableName } from './TableName.ts';

type TableAction = 'GetItem' | 'BatchGetItem' | 'Query' | 'Scan' | 'PutItem' | 'UpdateItem' | 'DeleteItem';
type QueueAction = 'SendMessage' | 'ChangeMessageVisibility' | 'ReceiveMessage' | 'DeleteMessage';
type StreamAction = 'GetShardIterator' | 'GetRecords';

/** What a function's own code does with tables and queues. createRole adds what its trigger needs. */
export interface Permissions {
  readonly tables: Readonly<Partial<Record<TableName, readonly TableAction[]>>>;
  readonly queues: Readonly<Partial<Record<QueueName, readonly QueueAction[]>>>;
  /** On the stream of the objects. */
  readonly stream?: readonly StreamAction[];
}

const READ_OBJECTS = ['GetItem', 'BatchGetItem', 'Query'] as const;
/** A list over all namespaces removes registered namespaces that have been empty for long. A list of pods by an index asks whether the namespace has indexed pods. */
const LIST_NAMESPACES = ['GetItem', 'Query', 'UpdateItem', 'DeleteItem'] as const;

/** Writing an object draws a version and registers its namespace. Deleting an object is an update to a tombstone, so DeleteItem is not needed for that. */
const WRITE_OBJECTS = {
  objects: [...READ_OBJECTS, 'UpdateItem'],
  versions: ['UpdateItem'],
  namespaces: LIST_NAMESPACES,
} as const satisfies Permissions['tables'];

const APPEND_TO_LOG = ['GetItem', 'Query', 'PutItem'] as const;

/** What functions do besides if kubelets may join: they read the key of the certificate authority, which lies beside the versions. Making it is an update. */
export const JOIN_PERMISSIONS: Readonly<Partial<Record<FunctionName, Permissions>>> = {
  sync: { tables: { versions: ['GetItem'] }, queues: {} },
  resync: { tables: { versions: ['GetItem'] }, queues: {} },
};

/** What lets a function read and write, by its name: `sync` runs the controllers. The roles of `lambdas/rest/rbac` are about clients of the API. */
export const PERMISSIONS: Readonly<Record<FunctionName, Permissions>> = {
  // A list appends a barrier to the log if `record` lags, and deletes old tombstones. The key of the service accounts' tokens lies beside the versions.
  api: {
    tables: {
      ...WRITE_OBJECTS,
      objects: [...WRITE_OBJECTS.objects, 'DeleteItem'],
      versions: ['GetItem', 'UpdateItem'],
      // A watch marks its log as watched.
      log: [...APPEND_TO_LOG, 'UpdateItem'],
    },
    // It sends the keys of what it writes.
    queues: { work: ['SendMessage'] },
  },
  // The key of the service accounts' tokens.
  authorize: { tables: { versions: ['GetItem'] }, queues: {} },
  // A new epoch needs a version of its own.
  record: { tables: { log: APPEND_TO_LOG, versions: ['UpdateItem'] }, queues: { givenUp: ['SendMessage'] } },
  enqueue: {
    // It asks what keys have seen.
    tables: { objects: READ_OBJECTS, namespaces: LIST_NAMESPACES, keys: ['BatchGetItem'] },
    // It asks for a resync when its trigger may have missed changes.
    queues: { work: ['SendMessage'], givenUp: ['SendMessage'] },
  },
  // The controllers write all objects (pods among them), and the state of their keys. What is watched they also log.
  sync: {
    tables: { ...WRITE_OBJECTS, log: APPEND_TO_LOG, keys: ['GetItem', 'UpdateItem'] },
    // While many keys wait it receives them itself.
    queues: {
      work: ['SendMessage', 'ChangeMessageVisibility', 'ReceiveMessage', 'DeleteMessage'],
      deadLetters: ['SendMessage'],
    },
  },
  resync: {
    // After a restore it reads the whole table, whatever the table of namespaces says.
    tables: { ...WRITE_OBJECTS, objects: [...WRITE_OBJECTS.objects, 'Scan'], log: APPEND_TO_LOG, keys: ['Query'] },
    // What does not fit into one run becomes a message.
    queues: { work: ['SendMessage'], givenUp: ['SendMessage'] },
    // It reads what batches that were given up have lost.
    stream: ['GetShardIterator', 'GetRecords'],
  },
};
