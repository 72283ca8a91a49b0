/**
 * The tables that hold objects and their log, as plain data: the cloud stack and the tests create them from the same lines. All are billed on demand.
 *
 * They are several so that each function may be given no more than it needs: only who writes objects draws versions and registers namespaces, only
 * `record` writes the log.
 */
export interface TableDefinition {
  readonly partitionKey: TableKey;
  readonly sortKey?: TableKey;
  /** Local secondary indexes, which DynamoDB reads with strong consistency; `projected`: attributes that an index carries besides the keys. */
  readonly indexes?: readonly {
    readonly name: string;
    readonly sortKey: TableKey;
    readonly projected: readonly string[];
  }[];
  /** Indexes with partitions of their own, a moment behind the table; they carry keys only. */
  readonly globalIndexes?: readonly {
    readonly name: string;
    readonly partitionKey: TableKey;
    readonly sortKey: TableKey;
  }[];
  /** True for the one table whose changes are streamed, with the item before and after. */
  readonly streamed?: boolean;
  /** The attribute that holds the second after which an item may be deleted. */
  readonly timeToLive?: string;
}

export interface TableKey {
  readonly name: string;
  readonly type: 'S' | 'N';
}

const EXPIRES_AT = 'expiresAt';

/**
 * Objects and their tombstones. A partition is `resource#namespace`; since the table has local indexes, DynamoDB never splits a partition's items, and
 * the stream has them in one order (10 GB are the most that a namespace can hold of one resource).
 *
 * `byController` carries the objects, as controllers list their objects at every sync. The other two answer keys, since they are asked seldom and an
 * index that carried objects would be written with each of their changes.
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

/** One counter a resource: the newest version drawn. */
export const VERSIONS_TABLE = {
  partitionKey: { name: 'resource', type: 'S' },
} as const satisfies TableDefinition;

/** Which namespaces may hold objects of a resource, so that a list over all of them is no scan. */
export const NAMESPACES_TABLE = {
  partitionKey: { name: 'resource', type: 'S' },
  sortKey: { name: 'namespace', type: 'S' },
} as const satisfies TableDefinition;

/** The change log: for each resource its head as segment 0, then its segments in their order. */
export const LOG_TABLE = {
  partitionKey: { name: 'resource', type: 'S' },
  sortKey: { name: 'segment', type: 'N' },
  timeToLive: EXPIRES_AT,
} as const satisfies TableDefinition;

/**
 * The table of KeyLocks. An item, by its `key` (`deployment:default/web`), has
 * - `holder`, `heldUntil` (ms), `dirty`: the lock, absent while nobody has it; `lastHolder`: who gave it back last;
 * - `failures`, `wakeAt` (ms), `syncedFrom` (ms), `intent` (JSON): what the next holder must know;
 * - `overdueShard`, only with `wakeAt`: puts it into the sparse index by which late wake-ups are found;
 * - `expiresAt`, only if it says nothing and nobody has it.
 */
export const KEY_ITEMS_TABLE = {
  partitionKey: { name: 'key', type: 'S' },
  globalIndexes: [
    { name: 'overdue', partitionKey: { name: 'overdueShard', type: 'S' }, sortKey: { name: 'wakeAt', type: 'N' } },
  ],
  timeToLive: EXPIRES_AT,
} as const satisfies TableDefinition;

/** The names under which a deployment knows its tables. */
export interface TableNames {
  readonly objects: string;
  readonly versions: string;
  readonly namespaces: string;
  readonly log: string;
}
