import { hasSeen } from '../hasSeen.ts';
import type { AcquireOutcome, KeyItem } from '../../ports/KeyLocks.ts';
import type { ReceivedMessage } from '../../ports/WorkQueue.ts';

export type MessageDecision =
  /** Another worker syncs the key, and its lock was marked: the message comes again when that lock has ended. */
  | { readonly action: 'wait'; readonly hideMs: number }
  /** A sync that began after the message was due has ended well, and none has failed since: release the lock and acknowledge the message. */
  | { readonly action: 'satisfied'; readonly item: KeyItem }
  | { readonly action: 'sync'; readonly item: KeyItem };

/** Decides about a message after its key's lock was requested at `nowMs`. Pure. */
export function decideMessage(
  message: Pick<ReceivedMessage, 'dueAtMs' | 'causes'>,
  acquired: AcquireOutcome,
  nowMs: number,
  clockMarginMs: number,
): MessageDecision {
  if (acquired.status === 'held') return { action: 'wait', hideMs: Math.max(0, acquired.untilMs - nowMs) };
  const { item } = acquired;
  return { action: isSatisfied(message, item, nowMs, clockMarginMs) ? 'satisfied' : 'sync', item };
}

/**
 * Whether a sync that began after the message was due has ended well, or one that has read every change for which it was sent. A message that was due at the very millisecond at which the sync began is not satisfied: the change may have come between the
 * sync's reads. A sync that began in the future satisfies nothing: a clock was set back since. Nor does an earlier sync satisfy anything once the last one has failed: the message of that failure, which is tried again, may be older than the earlier sync,
 * and what the failed sync has begun has to be finished.
 */
export function isSatisfied(
  { dueAtMs, causes }: Pick<ReceivedMessage, 'dueAtMs' | 'causes'>,
  item: KeyItem,
  nowMs: number,
  clockMarginMs: number,
): boolean {
  const { syncedFromMs, failures } = item;
  if (failures > 0 || syncedFromMs === undefined || syncedFromMs > nowMs + clockMarginMs) return false;
  return dueAtMs + clockMarginMs < syncedFromMs || hasSeen(item, causes, nowMs);
}
