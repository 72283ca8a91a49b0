import type { FunctionName } from '../topology.ts';
import type { QueueName } from './createQueues.ts';
import type { TableName } from './tableDefinitions.ts';

type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';
type QueueAction = 'SendMessage' | 'ChangeMessageVisibility';

/** What a function's own code asks of tables and queues. What its trigger needs besides, its role gets from the trigger. */
export interface Permissions {
  readonly tables: Readonly<Partial<Record<TableName, readonly TableAction[]>>>;
  readonly queues: Readonly<Partial<Record<QueueName, readonly QueueAction[]>>>;
}

/** A write of an object draws a version and makes the namespace known; a removal is a write of a tombstone. So nobody deletes items. */
const OBJECT_WRITES = {
  objects: ['GetItem', 'Query', 'PutItem'],
  versions: ['UpdateItem'],
  namespaces: ['Query', 'PutItem'],
} as const satisfies Permissions['tables'];

export const PERMISSIONS: Readonly<Record<FunctionName, Permissions>> = {
  api: { tables: { ...OBJECT_WRITES, log: ['GetItem', 'Query'], keys: ['GetItem'] }, queues: {} },
  authorize: { tables: {}, queues: {} },
  record: { tables: { log: ['GetItem', 'Query', 'PutItem'] }, queues: {} },
  enqueue: {
    tables: { objects: ['GetItem', 'Query'], namespaces: ['Query'] },
    queues: { work: ['SendMessage'] },
  },
  sync: {
    tables: { ...OBJECT_WRITES, keys: ['GetItem', 'UpdateItem'] },
    queues: { work: ['SendMessage', 'ChangeMessageVisibility'], deadLetters: ['SendMessage'] },
  },
  resync: {
    tables: { ...OBJECT_WRITES, log: ['GetItem', 'Query', 'PutItem'], keys: ['Query'] },
    queues: { work: ['SendMessage'] },
  },
};
