import { expect, test } from 'vitest';
import { retryDelayMs } from '../../../lambdas/functions/sync/decideRelease.ts';

// The delays of client-go's ItemExponentialFailureRateLimiter(5ms, 1000s), as far as the queue delays a message.
test.each([
  [0, 5],
  [1, 10],
  [2, 20],
  [7, 640],
  [8, 1_280],
  [14, 81_920],
  [17, 655_360],
  [18, 900_000],
  [64, 900_000],
  [5_000, 900_000],
])('after %i earlier failures a key waits %i ms', (failures, delayMs) => {
  expect(retryDelayMs(failures)).toBe(delayMs);
});
