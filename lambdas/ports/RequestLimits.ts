import type { RequestRate } from '../objects/tokenBucket.ts';

/** What becomes of a request. */
export type Admission =
  | { readonly status: 'admitted' }
  /** The bucket is empty; `retryAfterMs` is when it has a token again, if nobody else takes it. Infinity: never. */
  | { readonly status: 'limited'; readonly retryAfterMs: number };

/**
 * Buckets of tokens, one for each flow of requests, in all processes together. A bucket that nobody has named is full.
 *
 * - In any time of `t` seconds at most `perSecond × (t + slackMs / 1000) + burst` requests of a bucket are admitted, whatever processes begin, die or stand still meanwhile.
 * - No bucket knows of another: one that is empty delays no request of the others.
 * - A raised rate counts at once: a bucket lacks no more than its burst at the rate that is named, at most `slackMs` later.
 * - A bucket that cannot be asked refuses no request now and then. Each process admits a part of the rate by itself then. `admit` never rejects.
 */
export interface RequestLimits {
  readonly slackMs: number;
  /** Takes a token of this bucket. All callers name the same rate for one bucket, apart from the moments in which it is being changed. */
  admit(bucket: string, rate: RequestRate): Promise<Admission>;
}
