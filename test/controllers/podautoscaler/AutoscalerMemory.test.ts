import * as fc from '../../support/seededFastCheck.ts';
import { describe, expect, test } from 'vitest';
import {
  type AutoscalerMemory,
  NOTHING_REMEMBERED,
  periodStartReplicas,
  recommendationsWithin,
  withInitialRecommendation,
  withRecommendation,
  withScaleEvent,
} from '../../../lambdas/controllers/podautoscaler/AutoscalerMemory.ts';

const MINUTE_MS = 60_000;

/** Notes a recommendation each minute. */
function afterMinutes(recommendations: readonly (number | undefined)[]): AutoscalerMemory {
  return recommendations.reduce<AutoscalerMemory>(
    (memory, replicas, minute) => withRecommendation(memory, replicas, minute * MINUTE_MS),
    NOTHING_REMEMBERED,
  );
}

describe('recommendations', () => {
  test('one that stays is not noted again', () => {
    const memory = afterMinutes([3]);
    expect(withRecommendation(memory, 3, MINUTE_MS)).toBe(memory);
    expect(recommendationsWithin(memory, MINUTE_MS, 100 * MINUTE_MS)).toEqual([3]);
  });

  test('the first sync counts the present replicas as recommended', () => {
    const memory = withRecommendation(withInitialRecommendation(NOTHING_REMEMBERED, 5, 0), 2, 0);
    expect(recommendationsWithin(memory, 5 * MINUTE_MS, 4 * MINUTE_MS)).toEqual([5, 2]);
    expect(recommendationsWithin(memory, 5 * MINUTE_MS, 5 * MINUTE_MS)).toEqual([2]);
  });

  test('nothing is recommended while the metrics are not known', () => {
    const memory = afterMinutes([9, undefined]);
    expect(recommendationsWithin(memory, 5 * MINUTE_MS, 5 * MINUTE_MS)).toEqual([9]);
    expect(recommendationsWithin(memory, 5 * MINUTE_MS, 6 * MINUTE_MS)).toEqual([]);
  });

  test('what is dropped changes neither the lowest nor the highest of any window', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 50 }),
        (recommendations, windowMinutes) => {
          const nowMs = recommendations.length * MINUTE_MS;
          // Each lasts until the next one that differs.
          const all = recommendations.flatMap((replicas, minute) => {
            const next = recommendations.findIndex((one, nth) => nth > minute && one !== replicas);
            const isWithin = next < 0 || next * MINUTE_MS > nowMs - windowMinutes * MINUTE_MS;
            return replicas !== undefined && isWithin ? [replicas] : [];
          });
          const kept = recommendationsWithin(afterMinutes(recommendations), windowMinutes * MINUTE_MS, nowMs);
          expect([Math.min(...kept), Math.max(...kept)]).toEqual([Math.min(...all), Math.max(...all)]);
        },
      ),
    );
  });

  test('a load that goes up and down for hours is remembered in a few entries', () => {
    const memory = afterMinutes(Array.from({ length: 600 }, (_, minute) => 2 + (minute % 7)));
    expect(memory.past.length).toBeLessThan(15);
  });
});

describe('changes of the replicas', () => {
  const memory = [4, -2, 3].reduce<AutoscalerMemory>(
    (before, change, minute) => withScaleEvent(before, { change, atMs: minute * MINUTE_MS }, minute * MINUTE_MS),
    NOTHING_REMEMBERED,
  );

  test.each([
    [30_000, 7],
    [90_000, 9],
    [1_000_000, 5],
  ])('those of the last %i ms are taken back', (periodMs, replicas) => {
    const period = { periodMs, direction: 'up', nowMs: 2 * MINUTE_MS + 1 } as const;
    expect(periodStartReplicas(memory, 10, period)).toBe(replicas);
  });

  test('those older than the longest period are forgotten', () => {
    const later = 40 * MINUTE_MS;
    expect(withScaleEvent(memory, { change: 1, atMs: later }, later).events).toEqual([{ change: 1, atMs: later }]);
  });
});
