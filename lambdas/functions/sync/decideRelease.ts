import type { Intent, KeyItem } from '../../ports/KeyLocks.ts';
import { MAX_QUEUE_DELAY_MS } from '../../ports/WorkQueue.ts';
import { retryDelayMs } from './retryDelayMs.ts';

/** How a sync ended, in what matters to its key. */
export type SyncEnd =
  | { readonly status: 'done' }
  | { readonly status: 'requeueAfter'; readonly delayMs: number }
  | { readonly status: 'failed' };

export interface ReleaseInput {
  readonly end: SyncEnd;
  /** The key's item as its lock was acquired. */
  readonly item: KeyItem;
  /** The intent as the sync left it. */
  readonly intent: Intent | undefined;
  /** When the sync began, or observed anew after a conflict. */
  readonly beganAtMs: number;
  readonly nowMs: number;
  readonly receiveCount: number;
  readonly maxRetries: number | undefined;
  readonly renewAfterReceives: number;
  /** How far the clocks of senders and workers may differ. */
  readonly clockMarginMs: number;
}

export type MessageFate =
  | { readonly fate: 'acknowledge' }
  /** It stays, and comes again after its backoff. */
  | { readonly fate: 'hide'; readonly delayMs: number }
  /** It was received too often already: a fresh message takes its place. */
  | { readonly fate: 'renew'; readonly delayMs: number }
  /** Given up after `maxRetries`. */
  | { readonly fate: 'bury'; readonly failures: number };

export interface ReleaseDecision {
  /** What the key's item holds from now on. */
  readonly item: KeyItem;
  /** A delayed message to send before the release. */
  readonly wakeInMs?: number;
  readonly message: MessageFate;
}

/** What to store, what to send and what becomes of the message when a sync has ended. Pure. */
export function decideRelease(input: ReleaseInput): ReleaseDecision {
  return input.end.status === 'failed' ? afterFailure(input) : afterSuccess(input, input.end);
}

function afterFailure(input: ReleaseInput): ReleaseDecision {
  const { item, intent, maxRetries } = input;
  const failures = item.failures + 1;
  const isGivenUp = maxRetries !== undefined && failures > maxRetries;
  const wakeAtMs = pendingWakeAtMs(input);
  const { syncedFromMs } = item;
  return {
    item: {
      // Given up also means forgotten: what brings the key back later starts with the shortest backoff.
      failures: isGivenUp ? 0 : failures,
      ...(wakeAtMs !== undefined && { wakeAtMs }),
      ...(syncedFromMs !== undefined && { syncedFromMs }),
      ...(intent && { intent }),
    },
    message: isGivenUp ? { fate: 'bury', failures } : retry(input),
  };
}

function retry({ item, receiveCount, renewAfterReceives }: ReleaseInput): MessageFate {
  const delayMs = retryDelayMs(item.failures);
  if (receiveCount < renewAfterReceives) return { fate: 'hide', delayMs };
  return { fate: 'renew', delayMs: Math.min(delayMs, MAX_QUEUE_DELAY_MS) };
}

function afterSuccess(input: ReleaseInput, end: Exclude<SyncEnd, { status: 'failed' }>): ReleaseDecision {
  const { intent, beganAtMs, nowMs } = input;
  const pendingMs = pendingWakeAtMs(input);
  const askedMs = end.status === 'requeueAfter' ? nowMs + end.delayMs : undefined;
  const isEarlier = askedMs !== undefined && (pendingMs === undefined || askedMs < pendingMs);
  const wakeAtMs = isEarlier ? askedMs : pendingMs;
  const needsMessage = wakeAtMs !== undefined && (isEarlier || hasPassedStop(wakeAtMs, input));
  return {
    item: {
      failures: 0,
      syncedFromMs: beganAtMs,
      ...(wakeAtMs !== undefined && { wakeAtMs }),
      ...(intent && { intent }),
    },
    ...(needsMessage && { wakeInMs: delayToNextStopMs(wakeAtMs, input) }),
    message: { fate: 'acknowledge' },
  };
}

/** The wake-up that was asked for earlier, unless this sync began late enough to be it. */
function pendingWakeAtMs({ item, beganAtMs }: ReleaseInput): number | undefined {
  return item.wakeAtMs !== undefined && item.wakeAtMs > beganAtMs ? item.wakeAtMs : undefined;
}

/**
 * A wake-up further away than the queue's longest delay travels by stops, at whole multiples of that delay before it: one at 40 minutes, asked for at
 * 0, stops at 10, 25 and 40. So one message is on its way at any time, and whether it has just arrived and must be sent on shows from the
 * times alone: a stop lies between the last good sync and this one. (Messages look alike; the one at hand may be any other.) A message counts as arrived
 * a clock margin early, since its sender's clock may be ahead.
 */
function hasPassedStop(wakeAtMs: number, { item, beganAtMs, clockMarginMs }: ReleaseInput): boolean {
  if (item.syncedFromMs === undefined) return true;
  return stopsLeft(wakeAtMs, item.syncedFromMs + clockMarginMs) > stopsLeft(wakeAtMs, beganAtMs + clockMarginMs);
}

function stopsLeft(wakeAtMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((wakeAtMs - nowMs) / MAX_QUEUE_DELAY_MS));
}

function delayToNextStopMs(wakeAtMs: number, { nowMs, clockMarginMs }: ReleaseInput): number {
  const stopsBehindNext = Math.max(0, stopsLeft(wakeAtMs, nowMs + clockMarginMs) - 1);
  return Math.min(Math.max(0, wakeAtMs - nowMs - stopsBehindNext * MAX_QUEUE_DELAY_MS), MAX_QUEUE_DELAY_MS);
}
