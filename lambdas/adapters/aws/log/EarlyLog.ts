import type { GroupResource } from '../../../objects/ObjectKey.ts';
import type { TracedChange } from '../../../ports/ChangeLog.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import type { TableNames } from '../tables.ts';
import { ChangeLogAppender } from './ChangeLogAppender.ts';
import { WatchedLogs } from './WatchedLogs.ts';

export interface EarlyLogOptions {
  readonly calls: DynamoDbCalls;
  readonly tables: Pick<TableNames, 'log' | 'versions'>;
  /** Called after each append. */
  readonly onAppend?: (resource: GroupResource) => void;
}

/** The change logs as writers append to them, ahead of the stream. */
export class EarlyLog {
  readonly #watched: WatchedLogs;
  readonly #appender: ChangeLogAppender;

  constructor({ calls, tables, onAppend }: EarlyLogOptions) {
    this.#watched = new WatchedLogs(calls, tables.log);
    this.#appender = new ChangeLogAppender({ calls: calls.givingWay(), tables, ...(onAppend && { onAppend }) });
  }

  /** See `WatchedLogs.isWatched`. */
  isWatched(resource: GroupResource): Promise<boolean> {
    return this.#watched.isWatched(resource);
  }

  /** See `ChangeLogAppender.appendEarly`. What is throttled is given up. */
  append(resource: GroupResource, changes: readonly TracedChange[]): Promise<boolean> {
    return this.#appender.appendEarly(resource, changes);
  }
}
