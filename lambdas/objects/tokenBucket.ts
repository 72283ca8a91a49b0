/** How many requests are admitted: on average, and at once after a pause. */
export interface RequestRate {
  /** Need not be whole; 0 admits nothing. */
  readonly perSecond: number;
  /** At least 1. */
  readonly burst: number;
}

/**
 * The state of a bucket is one number: the time, in milliseconds, at which it will be full again. A bucket that is full, or that nobody knows, has a time that is over. Each token that is taken moves the time by the
 * interval between two tokens. With 10 a second and a burst of 20, a bucket is full at 5,000. At 5,000 a request takes five tokens: the bucket will be full at 5,500 and has 15. At 5,200 it has 17.
 */
export type FullAtMs = number;

/** The part of a token that may be missing in one. Times since the epoch are exact to a quarter of a microsecond, which is as much at 40,000 requests a second. */
const TOLERANCE = 0.01;

/** Returns how many milliseconds a bucket takes to get one token. Pure. */
export function tokenMs({ perSecond }: RequestRate): number {
  return 1_000 / perSecond;
}

/** Returns how many whole tokens a bucket has. Pure. */
export function tokensIn(rate: RequestRate, fullAtMs: FullAtMs, nowMs: number): number {
  if (rate.perSecond <= 0) return 0;
  const missing = Math.max(0, fullAtMs - nowMs) / tokenMs(rate);
  return Math.max(0, Math.floor(rate.burst - missing + TOLERANCE));
}

/** Returns the bucket's state once `count` tokens have been taken, of which it has enough. Pure. */
export function fullAfter(rate: RequestRate, fullAtMs: FullAtMs, nowMs: number, count: number): FullAtMs {
  return Math.max(fullAtMs, nowMs) + count * tokenMs(rate);
}

/** Returns the latest time to be full at that a bucket with `count` tokens can have. Pure. */
export function latestFullAt(rate: RequestRate, nowMs: number, count: number): FullAtMs {
  return nowMs + (rate.burst - count + TOLERANCE) * tokenMs(rate);
}

/** Returns how long it takes until the bucket has `count` tokens; 0 if it has them, and infinity if it never will. Pure. */
export function msUntil(rate: RequestRate, fullAtMs: FullAtMs, nowMs: number, count: number): number {
  if (rate.perSecond <= 0 || count > rate.burst) return Number.POSITIVE_INFINITY;
  return Math.max(0, fullAtMs - nowMs - (rate.burst - count) * tokenMs(rate));
}
