import type { WorkKey } from './WorkKey.ts';

/**
 * What a sync is about to do and a later holder must know of, should this one die or stall in the middle: which pods, never how many are wanted.
 * Names and UIDs of the pods to create derive from `id` and an index below `count` (see controllers/replicaset); `deletes` are the pods to delete, by
 * name and UID, and by resourceVersion where the delete is conditional on it.
 */
export interface Intent {
  readonly id: string;
  readonly ownerUid: string;
  readonly count: number;
  readonly deletes: readonly { readonly name: string; readonly uid: string; readonly resourceVersion?: string }[];
  /** Of a Deployment: its ReplicaSets about to be resized from that version, or, without one, to be created (see controllers/deployment). */
  readonly resizes?: readonly { readonly name: string; readonly uid: string; readonly resourceVersion?: string }[];
}

/** What is kept of a key between its syncs. */
export interface KeyItem {
  /** Syncs that failed since one ended `done`: the exponent of the backoff. */
  readonly failures: number;
  /** The earliest time at which a sync was asked for by `requeueAfter`; milliseconds since the epoch. */
  readonly wakeAtMs?: number;
  /** When the last sync that ended `done` began; a message due before that (and the clocks' difference) is satisfied. */
  readonly syncedFromMs?: number;
  readonly intent?: Intent;
}

export type AcquireOutcome =
  | { readonly status: 'acquired'; readonly item: KeyItem }
  /** Another holder has it; it was marked dirty by this same write, so that its release is followed by one more sync. */
  | { readonly status: 'held'; readonly untilMs: number };

/**
 * One item a key: a lock with an end, and what the key's next holder must know. Each method is one conditional write. A lock that has ended can be
 * acquired by anyone; the old holder's later writes are refused as `lost`, and it must stop writing before the end comes.
 */
export interface KeyLocks {
  /** Takes the lock until `untilMs`, clearing the dirty mark of an earlier holder that died: the sync that begins now covers it. */
  acquire(key: WorkKey, holder: string, nowMs: number, untilMs: number): Promise<AcquireOutcome>;

  /** Durable before it resolves. `undefined` clears the intent. */
  recordIntent(key: WorkKey, holder: string, intent: Intent | undefined): Promise<'recorded' | 'lost'>;

  /**
   * Stores `item` whole and gives the lock back. If someone marked the key dirty, nothing happens and the answer is `dirty`: the holder sends the key
   * again and then releases with `resent`, which clears the mark whatever came meanwhile. An item that says nothing (no failures, no wake-up,
   * no intent) may be forgotten, once `syncedFromMs` is too old to satisfy any message.
   */
  release(
    key: WorkKey,
    holder: string,
    item: KeyItem,
    options?: { readonly resent?: boolean },
  ): Promise<'released' | 'dirty' | 'lost'>;

  /** Keys whose `wakeAtMs` lies before `beforeMs`, the earliest first, at most `limit`. */
  overdue(beforeMs: number, limit: number): Promise<readonly WorkKey[]>;

  /** The item as it stands, for those who explain; never for deciding. */
  peek(key: WorkKey): Promise<(KeyItem & { readonly heldUntilMs?: number }) | undefined>;
}
