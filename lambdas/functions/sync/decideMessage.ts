import type { AcquireOutcome, KeyItem } from '../../ports/KeyLocks.ts';
import type { ReceivedMessage } from '../../ports/WorkQueue.ts';

export type MessageDecision =
  /** Its key is being synced and was marked dirty: let the message come again when that lock has ended. */
  | { readonly action: 'wait'; readonly hideMs: number }
  /** A sync that began after the message was due has ended well: give the lock back and acknowledge. */
  | { readonly action: 'satisfied'; readonly item: KeyItem }
  | { readonly action: 'sync'; readonly item: KeyItem };

/** What becomes of a message whose key's lock was asked for at `nowMs`. Pure. */
export function decideMessage(
  message: Pick<ReceivedMessage, 'dueAtMs'>,
  acquired: AcquireOutcome,
  nowMs: number,
  clockMarginMs: number,
): MessageDecision {
  if (acquired.status === 'held') return { action: 'wait', hideMs: Math.max(0, acquired.untilMs - nowMs) };
  const { item } = acquired;
  // Due at the very instant at which the sync began is not before it: the change may have come between its reads.
  const isSatisfied = item.syncedFromMs !== undefined && message.dueAtMs + clockMarginMs < item.syncedFromMs;
  return { action: isSatisfied ? 'satisfied' : 'sync', item };
}
