import type { GroupResource } from '../../objects/ObjectKey.ts';
import { type Clock, isRecent, type Moment, momentOf, timeSince } from '../../ports/Clock.ts';
import { LATEST_WRITE_MS } from '../../ports/ObjectStore.ts';

/** No list takes longer, from its first read to its last. */
const LONGEST_LIST_MS = 60_000;

/**
 * When lists found that the log holds all that they read. A tombstone tells lists of a removal that the log may not hold yet. It is of no more use when the log has held the removal for as long as a list takes: every list
 * that may miss the tombstone has then read the log's head after the removal. What an earlier list found held, at least a minute ago, is such. Tombstones that are dropped are older than an hour, so a list
 * within the last hour has read them all.
 */
export class HeldLists {
  readonly #clock: Clock;
  readonly #heldAt = new Map<string, Moment>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Must be called when a whole list of a namespace, or of all (`undefined`), found all its reads held. Returns whether the old tombstones that it met may be dropped. */
  mayDropTombstones(resource: GroupResource, namespace: string | undefined): boolean {
    const key = JSON.stringify([resource, namespace]);
    const heldAt = this.#heldAt.get(key);
    const isKnown = heldAt !== undefined && isRecent(this.#clock, heldAt, LATEST_WRITE_MS);
    if (isKnown && timeSince(this.#clock, heldAt)[0] < LONGEST_LIST_MS) return false;
    this.#heldAt.set(key, momentOf(this.#clock));
    return isKnown;
  }
}
