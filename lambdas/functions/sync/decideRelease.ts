import { type Causes, joinCauses, newestCauses } from '../../ports/Causes.ts';
import type { Intent, KeyItem } from '../../ports/KeyLocks.ts';
import { MAX_QUEUE_DELAY_MS } from '../../ports/WorkQueue.ts';

// client-go's DefaultControllerRateLimiter: from 5 ms to 1,000 s. The queue delays a message by 900 s at most.
const BASE_RETRY_DELAY_MS = 5;
const MAX_RETRY_DELAY_MS = MAX_QUEUE_DELAY_MS;

/** A failed sync that is tried again within this time keeps its message: a delayed one would be late by up to a second, and clocks may differ by as much as this. */
const SOON_MS = 2_000;

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
  const { item, maxRetries } = input;
  const failures = item.failures + 1;
  if (maxRetries !== undefined && failures > maxRetries) {
    // A key that is given up is also forgotten: when a change brings it back, it starts with the shortest backoff.
    return { item: { failures: 0, ...keptByFailure(input) }, message: { fate: 'bury', failures } };
  }
  return retryDelayMs(item.failures) <= SOON_MS ? retrySoon(input, failures) : retryLater(input, failures);
}

/** The message comes again, unless it may be gone, or the queue would soon make it a dead letter: then a fresh one replaces it. */
function retrySoon(input: ReleaseInput, failures: number): ReleaseDecision {
  const { receiveCount, renewAfterReceives, mayBeGone } = input;
  const delayMs = retryDelayMs(input.item.failures);
  const item = { failures, ...keptByFailure(input) };
  if (receiveCount < renewAfterReceives && !mayBeGone) return { item, message: { fate: 'hide', delayMs } };
  return { item, wakeInMs: delayMs, message: { fate: 'acknowledge' } };
}

function keptByFailure({ item, intent, ...input }: ReleaseInput): Omit<KeyItem, 'failures'> {
  const wakeAtMs = pendingWakeAtMs({ item, ...input });
  const { syncedFromMs } = item;
  return {
    ...(wakeAtMs !== undefined && { wakeAtMs }),
    ...(syncedFromMs !== undefined && { syncedFromMs }),
    ...(intent && { intent }),
  };
}

/**
 * One message tries the key again, however many brought it here: the wake-up that is under way, or a new one if there is none or it would come later. So all messages that were due before this sync began can go (see `isSatisfied`), and
 * those of a key that always fails do not become more. A wake-up counts as arrived one clock margin early: the one at hand may be it.
 */
function retryLater(input: ReleaseInput, failures: number): ReleaseDecision {
  const { item, intent, beganAtMs, syncedFromMs: failedFromMs, nowMs, clockMarginMs } = input;
  const pendingMs = pendingWakeAtMs({ item, beganAtMs: beganAtMs + clockMarginMs });
  // At most one longest delay after the begin, so that its message needs no stop on the way.
  const askedMs = Math.min(nowMs + retryDelayMs(item.failures), beganAtMs + MAX_QUEUE_DELAY_MS);
  const { syncedFromMs } = item;
  return {
    ...wakeUp(input, pendingMs, askedMs, {
      failures,
      ...(syncedFromMs !== undefined && { syncedFromMs }),
      failedFromMs,
      ...(intent && { intent }),
    }),
    message: { fate: 'acknowledge' },
  };
}

function afterSuccess(input: ReleaseInput, end: Exclude<SyncEnd, { status: 'failed' }>): ReleaseDecision {
  const { intent, syncedFromMs, nowMs } = input;
  const askedMs = end.status === 'requeueAfter' ? nowMs + end.delayMs : undefined;
  return {
    ...wakeUp(input, pendingWakeAtMs(input), askedMs, {
      failures: 0,
      syncedFromMs,
      ...seenAfter(input),
      ...(intent && { intent }),
    }),
    message: { fate: 'acknowledge' },
  };
}

/** The item with the earlier one of the wake-up that is pending and the one that is asked for, and when to send its message, unless that is under way. */
function wakeUp(
  input: ReleaseInput,
  pendingMs: number | undefined,
  askedMs: number | undefined,
  item: KeyItem,
): Pick<ReleaseDecision, 'item' | 'wakeInMs'> {
  const isEarlier = askedMs !== undefined && (pendingMs === undefined || askedMs < pendingMs);
  const wakeAtMs = isEarlier ? askedMs : pendingMs;
  if (wakeAtMs === undefined) return { item };
  const needsMessage = isEarlier || hasPassedStop(wakeAtMs, input);
  return { item: { ...item, wakeAtMs }, ...(needsMessage && { wakeInMs: delayToNextStopMs(wakeAtMs, input) }) };
}

const NONE: Causes = new Set();

/** The sync has read all of its causes: it began after it was told of them, and reads are strong. */
function seenAfter({ item, causes }: ReleaseInput): Pick<KeyItem, 'seen'> {
  const seen = newestCauses(joinCauses(item.seen ?? NONE, causes ?? NONE));
  return seen.size > 0 ? { seen } : {};
}

/** Returns the wake-up that an earlier sync asked for, unless this sync began late enough to be that wake-up. */
function pendingWakeAtMs({ item, beganAtMs }: Pick<ReleaseInput, 'item' | 'beganAtMs'>): number | undefined {
  return item.wakeAtMs !== undefined && item.wakeAtMs > beganAtMs ? item.wakeAtMs : undefined;
}

/**
 * A wake-up further away than the queue's longest delay travels by stops, at whole multiples of that delay before it: a wake-up at 40 minutes, asked for at
 * 0, stops at 10, 25 and 40. So exactly one message is under way at any time. Whether it has just arrived and must be sent on follows from the times alone: then a stop lies between the last
 * sync that looked after it, a good one or one that is tried again later, and this one. (The message at hand does not show it, because all messages of a key look alike.) A message counts as arrived one clock margin early, because its sender's clock
 * may be ahead.
 */
function hasPassedStop(wakeAtMs: number, { item, beganAtMs, clockMarginMs }: ReleaseInput): boolean {
  const lookedAfterMs = item.failedFromMs ?? item.syncedFromMs;
  if (lookedAfterMs === undefined) return true;
  return stopsLeft(wakeAtMs, lookedAfterMs + clockMarginMs) > stopsLeft(wakeAtMs, beganAtMs + clockMarginMs);
}

function stopsLeft(wakeAtMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((wakeAtMs - nowMs) / MAX_QUEUE_DELAY_MS));
}

function delayToNextStopMs(wakeAtMs: number, { nowMs, clockMarginMs }: ReleaseInput): number {
  const stopsBehindNext = Math.max(0, stopsLeft(wakeAtMs, nowMs + clockMarginMs) - 1);
  return Math.min(Math.max(0, wakeAtMs - nowMs - stopsBehindNext * MAX_QUEUE_DELAY_MS), MAX_QUEUE_DELAY_MS);
}

/**
 * Returns how long a key waits after a failed sync when `failures` syncs in a row had failed before it: client-go's ItemExponentialFailureRateLimiter, 5 ms doubled with each failure, but at
 * most 900 s instead of 1,000. Pure; milliseconds.
 */
export function retryDelayMs(failures: number): number {
  return Math.min(BASE_RETRY_DELAY_MS * 2 ** failures, MAX_RETRY_DELAY_MS);
}
