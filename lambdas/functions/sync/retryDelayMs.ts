const BASE_DELAY_MS = 5;
const MAX_DELAY_MS = 1_000_000;

/**
 * How long a key waits after a sync that failed, when `failures` syncs had failed before it: client-go's ItemExponentialFailureRateLimiter with the
 * values of its DefaultControllerRateLimiter, 5 ms doubled with each failure, 1,000 s at most. Pure; milliseconds.
 */
export function retryDelayMs(failures: number): number {
  return Math.min(BASE_DELAY_MS * 2 ** failures, MAX_DELAY_MS);
}
