import { areSeen, type Causes } from '../ports/Causes.ts';
import type { KeyItem } from '../ports/KeyLocks.ts';

/**
 * How long what a key has seen is relied on. The changes of a restored table may be numbered as some that it does not have any more; a restore takes much longer than this, and ends by queueing every key. The stream repeats a key
 * within seconds, so no more is needed.
 */
const SEEN_FOR_MS = 120_000;

/** True if a sync of the key that ended well has read all these changes, and none has failed since. Pure. */
export function hasSeen(
  { failures, syncedFromMs, seen }: Pick<KeyItem, 'failures' | 'syncedFromMs' | 'seen'>,
  causes: Causes | undefined,
  nowMs: number,
): boolean {
  if (failures > 0 || syncedFromMs === undefined || Math.abs(nowMs - syncedFromMs) > SEEN_FOR_MS) return false;
  return areSeen(causes, seen);
}
