import { type Causes, joinCauses, newestCauses } from '../../ports/Causes.ts';
import type { Intent, KeyItem } from '../../ports/KeyLocks.ts';
import { MAX_QUEUE_DELAY_MS } from '../../ports/WorkQueue.ts';

// The values of client-go's DefaultControllerRateLimiter.
const BASE_RETRY_DELAY_MS = 5;
const MAX_RETRY_DELAY_MS = 1_000_000;

/** How a sync ended, as far as its key is concerned. */
export type SyncEnd =
  | { readonly status: 'done' }
  | { readonly status: 'requeueAfter'; readonly delayMs: number }
  | { readonly status: 'failed' };

export interface ReleaseInput {
  readonly end: SyncEnd;
  /** The key's item when its lock was acquired. */
  readonly item: KeyItem;
  /** The intent that the sync left. */
  readonly intent: Intent | undefined;
  /** The changes for which the key was sent, by messages that were received before the sync began. */
  readonly causes?: Causes | undefined;
  /** When the sync began, or observed again after a conflict; by the clock of wake-ups, as `nowMs`. */
  readonly beganAtMs: number;
  /** A time by the queue's clock that is not after `beganAtMs`. */
  readonly syncedFromMs: number;
  readonly nowMs: number;
  readonly receiveCount: number;
  readonly maxRetries: number | undefined;
  readonly renewAfterReceives: number;
  /** True once the message may have come again, so that another worker may have deleted it: it brings nothing back any more. */
  readonly mayBeGone: boolean;
  /** By how much the clocks of senders and workers may differ. */
  readonly clockMarginMs: number;
}

export type MessageFate =
  | { readonly fate: 'acknowledge' }
  /** The message stays, and comes again after its backoff. */
  | { readonly fate: 'hide'; readonly delayMs: number }
  /** The key is given up after `maxRetries`. */
  | { readonly fate: 'bury'; readonly failures: number };

export interface ReleaseDecision {
  /** The key's item from now on. */
  readonly item: KeyItem;
  /** A delayed message to send before the release. */
  readonly wakeInMs?: number;
  readonly message: MessageFate;
}

/** Decides what to store, what to send and what becomes of the message after a sync. Pure. */
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
      // A key that is given up is also forgotten: when a change brings it back, it starts with the shortest backoff.
      failures: isGivenUp ? 0 : failures,
      ...(wakeAtMs !== undefined && { wakeAtMs }),
      ...(syncedFromMs !== undefined && { syncedFromMs }),
      ...(intent && { intent }),
    },
    ...(isGivenUp ? { message: { fate: 'bury', failures } } : retry(input)),
  };
}

/** The message comes again, unless it may be gone, or the queue would soon make it a dead letter: then a fresh one replaces it. */
function retry(input: ReleaseInput): Pick<ReleaseDecision, 'wakeInMs' | 'message'> {
  const { item, receiveCount, renewAfterReceives, mayBeGone } = input;
  const delayMs = retryDelayMs(item.failures);
  if (receiveCount < renewAfterReceives && !mayBeGone) return { message: { fate: 'hide', delayMs } };
  return { wakeInMs: Math.min(delayMs, MAX_QUEUE_DELAY_MS), message: { fate: 'acknowledge' } };
}

function afterSuccess(input: ReleaseInput, end: Exclude<SyncEnd, { status: 'failed' }>): ReleaseDecision {
  const { intent, syncedFromMs, nowMs } = input;
  const pendingMs = pendingWakeAtMs(input);
  const askedMs = end.status === 'requeueAfter' ? nowMs + end.delayMs : undefined;
  const isEarlier = askedMs !== undefined && (pendingMs === undefined || askedMs < pendingMs);
  const wakeAtMs = isEarlier ? askedMs : pendingMs;
  const needsMessage = wakeAtMs !== undefined && (isEarlier || hasPassedStop(wakeAtMs, input));
  return {
    item: {
      failures: 0,
      syncedFromMs,
      ...seenAfter(input),
      ...(wakeAtMs !== undefined && { wakeAtMs }),
      ...(intent && { intent }),
    },
    ...(needsMessage && { wakeInMs: delayToNextStopMs(wakeAtMs, input) }),
    message: { fate: 'acknowledge' },
  };
}

const NONE: Causes = new Set();

/** The sync has read all of its causes: it began after it was told of them, and reads are strong. */
function seenAfter({ item, causes }: ReleaseInput): Pick<KeyItem, 'seen'> {
  const seen = newestCauses(joinCauses(item.seen ?? NONE, causes ?? NONE));
  return seen.size > 0 ? { seen } : {};
}

/** Returns the wake-up that an earlier sync asked for, unless this sync began late enough to be that wake-up. */
function pendingWakeAtMs({ item, beganAtMs }: ReleaseInput): number | undefined {
  return item.wakeAtMs !== undefined && item.wakeAtMs > beganAtMs ? item.wakeAtMs : undefined;
}

/**
 * A wake-up further away than the queue's longest delay travels by stops, at whole multiples of that delay before it: a wake-up at 40 minutes, asked for at
 * 0, stops at 10, 25 and 40. So exactly one message is under way at any time. Whether it has just arrived and must be sent on follows from the times alone: then a stop lies between the last
 * good sync and this one. (The message at hand does not show it, because all messages of a key look alike.) A message counts as arrived one clock margin early, because its sender's clock
 * may be ahead.
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

/**
 * Returns how long a key waits after a failed sync when `failures` syncs in a row had failed before it: client-go's ItemExponentialFailureRateLimiter, 5 ms doubled with each failure, at
 * most 1,000 s. Pure; milliseconds.
 */
export function retryDelayMs(failures: number): number {
  return Math.min(BASE_RETRY_DELAY_MS * 2 ** failures, MAX_RETRY_DELAY_MS);
}
