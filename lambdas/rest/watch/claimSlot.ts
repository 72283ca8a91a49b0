import { ApiError } from '../../objects/ApiError.ts';
import type { ApiDependencies } from '../request/ResourceRequest.ts';

/** client-go tries ten times, so it gets a slot that is free in a minute, and most get one that is released earlier. */
const LONGEST_RETRY_AFTER_SECONDS = 10;

/** Claims a slot for an answer that stays open, for at most `durationMs`, and returns what releases it. Throws TooManyRequests if all are taken. */
export async function claimSlot(
  { watchSlots }: Pick<ApiDependencies, 'watchSlots'>,
  durationMs: number,
): Promise<() => Promise<void>> {
  const claim = await watchSlots?.claim(durationMs);
  if (claim?.status !== 'full') return claim?.release ?? (async () => {});
  const seconds = Math.ceil(claim.retryAfterMs / 1000);
  throw new ApiError('TooManyRequests', 'Too many requests, please try again later.', {
    retryAfterSeconds: Math.min(Math.max(seconds, 1), LONGEST_RETRY_AFTER_SECONDS),
  });
}

/** Yields the items and releases the slot when they end, or when nobody wants more of them. */
export async function* releasing<T>(items: AsyncGenerator<T, void, undefined>, release: () => Promise<void>) {
  try {
    yield* items;
  } finally {
    await release();
  }
}
