import { hasSeen } from '../hasSeen.ts';
import type { AcquireOutcome, KeyItem } from '../../ports/KeyLocks.ts';
import type { ReceivedMessage } from '../../ports/WorkQueue.ts';

export type MessageDecision =
  /** Another worker syncs the key, and its lock was marked: the message comes again when that lock has ended. */
  | { readonly action: 'wait'; readonly hideMs: number }
  /** Nothing is left to do for the message (see `isSatisfied`): release the lock and acknowledge it. */
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
 * sync's reads. A sync that began in the future satisfies nothing: a clock was set back since.
 *
 * Once the last sync has failed, an earlier one satisfies nothing: what the failed sync has begun has to be finished. Then the message has nothing left to do if the failed sync began after it was due, and a later message, the wake-up, tries the key again.
 */
export function isSatisfied(
  { dueAtMs, causes }: Pick<ReceivedMessage, 'dueAtMs' | 'causes'>,
  item: KeyItem,
  nowMs: number,
  clockMarginMs: number,
): boolean {
  const beganMs = coveredFromMs(item);
  if (beganMs === undefined || beganMs > nowMs + clockMarginMs) return false;
  return dueAtMs + clockMarginMs < beganMs || hasSeen(item, causes, nowMs);
}

function coveredFromMs({ failures, syncedFromMs, failedFromMs, wakeAtMs }: KeyItem): number | undefined {
  if (failures === 0) return syncedFromMs;
  return wakeAtMs === undefined ? undefined : failedFromMs;
}
