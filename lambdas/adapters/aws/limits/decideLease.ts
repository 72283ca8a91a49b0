import { type FullAtMs, latestFullAt, msUntil, type RequestRate, tokensIn } from '../../../objects/tokenBucket.ts';

/** How long a process may spend tokens that it has taken. Those that are left then are lost, so that they cannot be spent in another minute on top of its own. */
export const LEASE_MS = 1_000;
/** For how long a process goes by the answer that a bucket is empty, at most. So a flood that thousands of processes meet costs each of them one write unit a second. */
const MAX_REFUSAL_MS = 1_000;
/** And at least, however small the burst is. */
const LEAST_REFUSAL_MS = 250;
/** The part of a burst, and of what comes in a second, that one process may hold. */
const MAX_PART = 0.25;

/** What became of the tokens that a process took last. */
export interface SpentLease {
  readonly size: number;
  /** True if all were spent before their time was over. */
  readonly isUsedUp: boolean;
}

/**
 * Returns how many tokens a process takes at once: one at first, and twice as many whenever it has spent those that it had in time. So a request now and then takes exactly its own token, whichever process it meets, and a
 * process that serves many of one flow pays a write for each quarter of what it may admit in a second. `waiting`: the requests that wait for a token. Pure.
 */
export function decideLeaseSize(rate: RequestRate, last: SpentLease | undefined, waiting: number): number {
  const most = maxLeaseSize(rate);
  const wanted = last?.isUsedUp ? Math.min(2 * last.size, most) : 1;
  return Math.max(wanted, waiting);
}

/** Returns how many tokens one process may hold while nobody waits for more: so many it may also spend in a second in which the bucket cannot be asked. Pure. */
export function maxLeaseSize({ burst, perSecond }: RequestRate): number {
  return Math.max(1, Math.floor(Math.min(burst, perSecond) * MAX_PART));
}

/** How tokens are taken, if the bucket is still as it was seen. */
export type Take =
  /** Nothing is missing in the bucket: its time begins now. */
  | { readonly how: 'fromFull'; readonly count: number }
  /** Something is missing: its time moves on. */
  | { readonly how: 'fromPart'; readonly count: number }
  /** The rate has been raised: the bucket is empty by the new one, and has one token. `beyondMs`: its time is later than this. */
  | { readonly how: 'reopen'; readonly count: 1; readonly beyondMs: number }
  | { readonly how: 'refused' };

/**
 * Decides how to take `wanted` tokens from a bucket that was last seen so; fewer if it has not as many. `undefined`: never seen. Pure.
 *
 * A bucket of 40 that is empty at one a second will be full in 40 s. By 20 a second these would be 800 tokens that are missing, and the bucket would stay empty for 38 s. No process can have moved the time as far at this rate, so it was another one: the
 * bucket lacks its burst, and no more. What two clocks differ by must not look like that.
 */
export function decideTake(
  rate: RequestRate,
  fullAtMs: FullAtMs | undefined,
  nowMs: number,
  wanted: number,
  clocksDifferMs: number,
): Take {
  const beyondMs = latestFullAt(rate, nowMs, 0) + clocksDifferMs;
  if (fullAtMs !== undefined && fullAtMs > beyondMs) return { how: 'reopen', count: 1, beyondMs };
  const isFull = fullAtMs === undefined || fullAtMs <= nowMs;
  const count = Math.min(wanted, tokensIn(rate, fullAtMs ?? nowMs, nowMs));
  if (count < 1) return { how: 'refused' };
  return { how: isFull ? 'fromFull' : 'fromPart', count };
}

/**
 * Returns for how long a process does not ask an empty bucket again: until it has half a burst, at most a second, and at least until it has a token. With 10 a second and a burst of 10 that is 500 ms; asking as soon as
 * there is one token would be ten writes a second, of each process, for the same ten requests. Pure.
 */
export function decideRefusalMs(rate: RequestRate, fullAtMs: FullAtMs, nowMs: number): number {
  const untilHalfMs = msUntil(rate, fullAtMs, nowMs, Math.max(1, Math.floor(rate.burst / 2)));
  return Math.min(MAX_REFUSAL_MS, Math.max(LEAST_REFUSAL_MS, untilHalfMs));
}
