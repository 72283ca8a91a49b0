import { expect, test } from 'vitest';
import { SPREAD_KEYS_PER_SECOND, spreadDelayMs } from '../../../lambdas/functions/resync/spreadDelayMs.ts';
import { MAX_QUEUE_DELAY_MS } from '../../../lambdas/ports/WorkQueue.ts';
import * as fc from '../../support/seededFastCheck.ts';

const SECONDS = MAX_QUEUE_DELAY_MS / 1000;

test.each([
  [0, 0],
  [24, 0],
  [25, 1_000],
  [22_499, 899_000],
  [22_500, 0],
  [60_000, 600_000],
])('the key after %i others is sent with a delay of %i ms', (sent, delayMs) => {
  expect(spreadDelayMs(sent)).toBe(delayMs);
});

test('any number of keys are as dense as they must be, and no denser', () => {
  fc.assert(
    fc.property(fc.nat(60_000), fc.nat(40_000), (first, count) => {
      const perSecond = new Map<number, number>();
      for (let at = first; at < first + count; at += 1) {
        const delayMs = spreadDelayMs(at);
        perSecond.set(delayMs, (perSecond.get(delayMs) ?? 0) + 1);
      }
      const rounds = Math.ceil(count / (SECONDS * SPREAD_KEYS_PER_SECOND)) + 1;
      expect(Math.max(0, ...perSecond.values())).toBeLessThanOrEqual(rounds * SPREAD_KEYS_PER_SECOND);
      expect(Math.max(0, ...perSecond.keys())).toBeLessThan(MAX_QUEUE_DELAY_MS);
    }),
    { numRuns: 20 },
  );
});
