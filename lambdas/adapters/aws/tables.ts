/**
 * The tables that hold objects, their log and the keys, as plain data. The cloud stack and the tests create them from these definitions. All are billed on
 * demand.
 *
 * They are separate tables so that each function gets no more permissions than it needs: only writers of objects draw versions and register namespaces, and
 * only `record` writes the log.
 */
export interface TableDefinition {
  readonly partitionKey: TableKey;
  readonly sortKey?: TableKey;
  /** Local secondary indexes, which allow strongly consistent reads. `projected`: the attributes that an index carries besides the keys. */
  readonly indexes?: readonly {
    readonly name: string;
    readonly sortKey: TableKey;
    readonly projected: readonly string[];
  }[];
  /** Global secondary indexes, which have partitions of their own, are a moment behind the table, and carry only keys. */
  readonly globalIndexes?: readonly {
    readonly name: string;
    readonly partitionKey: TableKey;
    readonly sortKey: TableKey;
  }[];
  /** True for the table whose changes are streamed, with the item before and after. */
  readonly streamed?: boolean;
  /** The attribute with the time, in seconds, after which DynamoDB may delete an item. */
  readonly timeToLive?: string;
}

export interface TableKey {
  readonly name: string;
  readonly type: 'S' | 'N';
}

const EXPIRES_AT = 'expiresAt';

/**
 * Objects and their tombstones. A partition is `resource#namespace`; pods and events have several in each namespace (see `placeOf`). Because the table has local indexes, DynamoDB
 * never splits a partition, so the stream has its changes in one order. In return a partition can hold at most 10 GB.
 *
 * `byController` carries the objects, because controllers list their objects in every sync. Pods are in it only if their names do not begin with their controller's. The other two indexes carry only keys: they are seldom read, and
 * an index that carried objects would be written with each of their changes.
 */
export const OBJECTS_TABLE = {
  partitionKey: { name: 'place', type: 'S' },
  sortKey: { name: 'name', type: 'S' },
  indexes: [
    { name: 'byController', sortKey: { name: 'controller', type: 'S' }, projected: ['version', 'body'] },
    { name: 'byCoOwned', sortKey: { name: 'coOwned', type: 'S' }, projected: [] },
    { name: 'bySelects', sortKey: { name: 'selects', type: 'S' }, projected: [] },
  ],
  streamed: true,
  timeToLive: EXPIRES_AT,
} as const satisfies TableDefinition;

/** For each resource a counter: `version`, the newest version drawn; `adds`, how many writes have drawn them; `format`, the number of this layout. And the slots of open watches (see `DynamoDbWatchSlots`). */
export const VERSIONS_TABLE = {
  partitionKey: { name: 'resource', type: 'S' },
} as const satisfies TableDefinition;

/** The namespaces that may hold objects of a resource, so that a list over all namespaces needs no scan. `emptySinceMs`: see `KnownNamespaces`; `format`: the number of this layout. */
export const NAMESPACES_TABLE = {
  partitionKey: { name: 'resource', type: 'S' },
  sortKey: { name: 'namespace', type: 'S' },
} as const satisfies TableDefinition;

/** The change log: for each resource its head as segment 0, then its segments in order. */
export const LOG_TABLE = {
  partitionKey: { name: 'resource', type: 'S' },
  sortKey: { name: 'segment', type: 'N' },
  timeToLive: EXPIRES_AT,
} as const satisfies TableDefinition;

/**
 * The table of KeyLocks. An item, by its `key` (`deployment:default/web`), has
 * - `format`: the number of this layout;
 * - `holder`, `heldUntil` (ms), `marks` (how many acquisitions met it), `markedFor` (the holder, and the traces that they named): the lock, absent while it is free; `lastHolder`: the holder that released it last;
 * - `failures`, `wakeAt` (ms), `syncedFrom` (ms), `failedFrom` (ms), `seen` (see `Causes`), `waited` (see `ChangeWaits`), `intent` (JSON) or, if that is long, `intentAt`: the state for the next holder;
 * - `overdueShard`, only with `wakeAt`: its partition in the sparse index of wake-ups;
 * - `expiresAt`, only if the lock is free and there is no failure, wake-up or intent.
 * A long intent is an item of its own, whose key ends in `#` and `intentAt`: `contents` (JSON, gzip) and `expiresAt` (see `IntentItems`).
 */
export const KEY_ITEMS_TABLE = {
  partitionKey: { name: 'key', type: 'S' },
  globalIndexes: [
    { name: 'overdue', partitionKey: { name: 'overdueShard', type: 'S' }, sortKey: { name: 'wakeAt', type: 'N' } },
  ],
  timeToLive: EXPIRES_AT,
} as const satisfies TableDefinition;

/** The names of one stack's tables. */
export interface TableNames {
  readonly objects: string;
  readonly versions: string;
  readonly namespaces: string;
  readonly log: string;
}
