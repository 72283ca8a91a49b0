import {
  type FullAtMs,
  fullAfter,
  latestFullAt,
  msUntil,
  type RequestRate,
  tokensIn,
} from '../../objects/tokenBucket.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { Admission, RequestLimits } from '../../ports/RequestLimits.ts';

const ADMITTED: Admission = { status: 'admitted' };
/** So many buckets are kept before those that are full again are forgotten. */
const MAX_KEPT = 1_000;

/** The buckets of a server that is one process: exact, and full after a restart. They go by the steady clock, so nobody empties or fills them by setting the machine's. */
export class EmbeddedRequestLimits implements RequestLimits {
  readonly slackMs = 0;
  readonly #clock: Pick<Clock, 'steadyMs'>;
  readonly #fullAt = new Map<string, FullAtMs>();
  /** Small numbers are exact to a smaller part of a millisecond than the time since the epoch, so at high rates errors do not add up. */
  readonly #startMs: number;
  #keeps = MAX_KEPT;

  constructor(clock: Pick<Clock, 'steadyMs'>) {
    this.#clock = clock;
    this.#startMs = clock.steadyMs();
  }

  admit(bucket: string, rate: RequestRate): Promise<Admission> {
    const nowMs = this.#clock.steadyMs() - this.#startMs;
    // A bucket that was empty at a lower rate lacks its burst at this one, and no more.
    const fullAtMs = Math.min(this.#fullAt.get(bucket) ?? nowMs, latestFullAt(rate, nowMs, 0));
    if (this.#fullAt.has(bucket)) this.#fullAt.set(bucket, fullAtMs);
    if (tokensIn(rate, fullAtMs, nowMs) < 1)
      return Promise.resolve({ status: 'limited', retryAfterMs: msUntil(rate, fullAtMs, nowMs, 1) });
    this.#fullAt.set(bucket, fullAfter(rate, fullAtMs, nowMs, 1));
    if (this.#fullAt.size > this.#keeps) this.#forgetFull(nowMs);
    return Promise.resolve(ADMITTED);
  }

  /** Buckets that are not full must be kept, however many they are. Then the next look is after as many more. */
  #forgetFull(nowMs: number): void {
    for (const [bucket, fullAtMs] of this.#fullAt) if (fullAtMs <= nowMs) this.#fullAt.delete(bucket);
    this.#keeps = Math.max(MAX_KEPT, 2 * this.#fullAt.size);
  }
}
