import type { ChangeLog } from '../../ports/ChangeLog.ts';
import type { ObjectStore } from '../../ports/ObjectStore.ts';
import type { DynamoDbCalls } from './DynamoDbCalls.ts';
import { DynamoDbChangeLog } from './log/DynamoDbChangeLog.ts';
import { DynamoDbObjectStore, type DynamoDbObjectStoreOptions } from './objects/DynamoDbObjectStore.ts';
import type { Polling } from './log/LogTail.ts';
import type { TableNames } from './tables.ts';

export interface DynamoDbStoreOptions {
  readonly calls: DynamoDbCalls;
  readonly tables: TableNames;
  readonly polling?: Polling;
  readonly onChange?: DynamoDbObjectStoreOptions['onChange'];
  readonly tracing?: DynamoDbObjectStoreOptions['tracing'];
}

export interface DynamoDbStore {
  readonly objectStore: ObjectStore;
  readonly changeLog: ChangeLog;
  /** Must be called when this process appends to the log itself, so that its readers see the change at once. */
  readonly nudge: (resource: string) => void;
}

/** Opens objects and their log for a process that needs both. A write makes the log's readers poll at once. */
export function openDynamoDbStore(options: DynamoDbStoreOptions): DynamoDbStore {
  const { calls, tables, polling, onChange, tracing } = options;
  const changeLog = new DynamoDbChangeLog({ calls, tables, ...(polling && { polling }) });
  const nudge = (resource: string) => changeLog.nudge(resource);
  const objectStore = new DynamoDbObjectStore({ calls, tables, onWrite: nudge, onChange, tracing });
  return { objectStore, changeLog, nudge };
}
