import { ApiError } from '../../objects/ApiError.ts';
import type { WatchRequest } from '../../ports/WatchSlots.ts';
import type { ApiDependencies, ResourceRequest } from '../request/ResourceRequest.ts';

/** client-go tries ten times, so it gets a slot that is free in a minute, and most get one that is released earlier. */
const LONGEST_RETRY_AFTER_SECONDS = 10;

/** A slot for an answer that stays open. */
export interface OpenSlot {
  /** Aborted if another watch has taken the slot: the answer must end. Absent where no slots are counted. */
  readonly taken?: AbortSignal;
  /** May be called again. */
  readonly release: () => Promise<void>;
}

/** Claims a slot for an answer that stays open, for at most `lifetimeMs`. `isOfOne`: somebody waits for one object. Throws TooManyRequests if none is to be had. */
export async function claimSlot(
  {
    dependencies: { watchSlots },
    user,
  }: Pick<ResourceRequest, 'user'> & { readonly dependencies: Pick<ApiDependencies, 'watchSlots'> },
  { lifetimeMs, isOfOne }: Pick<WatchRequest, 'lifetimeMs' | 'isOfOne'>,
): Promise<OpenSlot> {
  if (!watchSlots) return { release: async () => {} };
  const taken = new AbortController();
  const watch = { user: user?.username ?? '', isOfOne, lifetimeMs, onTaken: () => taken.abort() };
  const claim = await watchSlots.claim(watch);
  if (claim.status === 'claimed') {
    let released: Promise<void> | undefined;
    return { taken: taken.signal, release: () => (released ??= claim.release()) };
  }
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
