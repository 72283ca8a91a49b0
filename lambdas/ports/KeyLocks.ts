import type { Causes } from './Causes.ts';
import type { ChangeWaits } from './ChangeWaits.ts';
import type { KeyTrace } from './TraceContext.ts';
import type { WorkKey } from './WorkKey.ts';

/**
 * The writes that a sync is about to send, and what its controller remembers between its syncs. If the sync dies or stalls halfway, a later holder of the lock needs to know both. An intent says which pods,
 * never how many are wanted. Names and UIDs of the pods to create derive from `id` and an index below `count` (see controllers/replicaset). `deletes` are
 * the pods to delete, by name and UID, and by resourceVersion where the delete is conditional on it.
 */
export interface Intent<Memory extends object = object> {
  readonly id: string;
  readonly ownerUid: string;
  /** When it was recorded; milliseconds since the epoch. Absent in what an older release recorded. */
  readonly atMs?: number;
  readonly count: number;
  readonly deletes: readonly { readonly name: string; readonly uid: string; readonly resourceVersion?: string }[];
  /** What only the key's controller understands, as JSON. None of its fields has the name of one of the fields above. */
  readonly memory?: Memory;
}

/** An intent as it is stored: the fields of the memory stand beside the others. */
export type StoredIntent = Omit<Intent, 'memory'> & { readonly memory?: object } & Readonly<Record<string, unknown>>;

/** Returns what an adapter stores of an intent. The memory is written flat, since that is all that the release before this one reads. Pure. */
export function encodeIntent({ memory, ...common }: Intent): StoredIntent {
  return { ...common, ...memory };
}

/** Reads a stored intent, also of the next release, which writes the memory as one field. Pure. */
export function decodeIntent({ id, ownerUid, atMs, count, deletes, memory, ...flat }: StoredIntent): Intent {
  const remembered = { ...flat, ...memory };
  return {
    id,
    ownerUid,
    ...(atMs !== undefined && { atMs }),
    count,
    deletes,
    ...(Object.keys(remembered).length > 0 && { memory: remembered }),
  };
}

/** The state that is kept for a key between its syncs. */
export interface KeyItem {
  /** The number of failed syncs since the last one that ended `done`: the exponent of the backoff. */
  readonly failures: number;
  /** The earliest time for which `requeueAfter`, or the backoff of a failed sync, asked for a sync; milliseconds since the epoch. */
  readonly wakeAtMs?: number;
  /**
   * A time by the queue's clock that is not after the begin of the last sync that ended `done`. The sync satisfies every message that was due earlier, with a margin, since the queue's own machines have
   * clocks that differ.
   */
  readonly syncedFromMs?: number;
  /** The same of the last sync, if it failed and the message of the wake-up tries the key again: no other message that was due earlier is needed for that. */
  readonly failedFromMs?: number;
  readonly intent?: Intent;
  /** Some of the changes that syncs of the key have read which ended well. Absent after a failure, and if none is known. */
  readonly seen?: Causes;
  /** What the last change has waited for that a sync has read and that is of a sampled trace. An explanation shows it; nothing is decided by it. */
  readonly waited?: ChangeWaits;
}

export type AcquireOutcome =
  | { readonly status: 'acquired'; readonly item: KeyItem }
  /** Another holder has the lock. The key got one more mark, so that one more sync follows the release. */
  | { readonly status: 'held'; readonly untilMs: number };

export type ReleaseOutcome =
  | { readonly status: 'released' }
  /** The lock stays held, and nothing was stored. `marks` counts the calls of `acquire` that met this lock, and `traces` are those that they named, as far as an adapter keeps them. */
  | { readonly status: 'dirty'; readonly marks: number; readonly traces?: readonly KeyTrace[] }
  /** The lock has ended and another holder has, or had, the key. */
  | { readonly status: 'lost' };

/** No lock is taken for longer than this. One that ends later was taken before a clock was set back, and is free: nobody knows when its holder ends, and it must not hold the key for hours. */
export const MAX_LOCK_MS = 90_000;

/**
 * One item for each key: a lock with an end time, and the state that the next holder needs. Each method is one conditional write. Anyone can acquire a
 * lock whose end has passed, or is further ahead than a lock may last. The old holder's later calls are then refused as `lost`; it must stop writing objects before the end.
 */
export interface KeyLocks {
  /**
   * Takes the lock until `untilMs`, which is at most MAX_LOCK_MS after `nowMs`. Clears the marks left by a holder that died: the sync that begins now covers them. `traces` are those of the message: if the lock is held, the holder gets them with the
   * mark, since the message that it sends is the one that is synced.
   */
  acquire(
    key: WorkKey,
    holder: string,
    nowMs: number,
    untilMs: number,
    traces?: readonly KeyTrace[],
  ): Promise<AcquireOutcome>;

  /** Records the intent durably before it resolves. `undefined` clears it. */
  recordIntent(key: WorkKey, holder: string, intent: Intent | undefined): Promise<'recorded' | 'lost'>;

  /**
   * Stores `item` whole and releases the lock, unless the key has more marks than `coveredMarks`, those for which the holder has sent the key again. A new mark may come
   * while it sends, from a worker that met the lock with that very message and waits for its end. So the holder sends and releases until no mark is new: then every message of
   * the key that waits for this lock has a later one that does not. An adapter may delete an item without failures, wake-up and intent once `syncedFromMs` is too old
   * to satisfy any message.
   */
  release(key: WorkKey, holder: string, item: KeyItem, coveredMarks?: number): Promise<ReleaseOutcome>;

  /** Lists at most `limit` keys whose `wakeAtMs` is before `beforeMs`, the earliest first. */
  overdue(beforeMs: number, limit: number): Promise<readonly WorkKey[]>;

  /** Returns the item as it is now. Only what stays true may be decided by it, such as that a sync has ended well: the next moment it may be another one. */
  peek(key: WorkKey): Promise<(KeyItem & { readonly heldUntilMs?: number }) | undefined>;
}
