import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  EMPTY_LOG,
  holds,
  isLogged,
  type LogState,
  sortArrivals,
  withEpoch,
  withSegment,
} from '../../../lambdas/adapters/aws/logState.ts';

const MINUTE_MS = 60_000;

/** The log after batches of versions, as an appender would have put them. */
function after(batches: readonly (readonly number[])[], nowMs = 0): LogState {
  return batches.reduce((state, versions) => appended(state, versions, nowMs), EMPTY_LOG);
}

function appended(state: LogState, versions: readonly number[], nowMs: number): LogState {
  const last = Math.max(...versions);
  return withSegment(state, versions, last > state.position ? last : state.position + 1000, nowMs);
}

describe('the state of a log', () => {
  test('skipped versions are holes until they are logged', () => {
    const state = after([[3, 5], [9]]);
    expect(state).toMatchObject({ segment: 2, position: 9 });
    expect(state.holes).toEqual([
      [1, 2],
      [4, 4],
      [6, 8],
    ]);
    expect(appended(state, [7, 10], 0).holes).toEqual([
      [1, 2],
      [4, 4],
      [6, 6],
      [8, 8],
    ]);
  });

  test('a segment whose versions are all below the position gets a position of its own, which is not a hole', () => {
    const state = withSegment(after([[8]]), [5], 12, 0);
    expect(state.position).toBe(12);
    expect(isLogged(state, 12)).toBe('yes');
    expect(holds(state, 12)).toBe(true);
    expect(isLogged(state, 9)).toBe('no');
  });

  test('any batches, divided and repeated in any way, log each version once', () => {
    const batch = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 30 }), (batches) => {
        let state = EMPTY_LOG;
        const logged = new Set<number>();
        for (const versions of batches) {
          const { fresh, late, forgotten } = sortArrivals(state, versions);
          expect(late).toEqual([]);
          expect(forgotten).toEqual([]);
          expect(new Set(fresh)).toEqual(new Set(versions.filter((version) => !logged.has(version))));
          for (const version of fresh) logged.add(version);
          if (fresh.length > 0) state = appended(state, fresh, 0);
          for (let version = 1; version <= 60; version += 1) {
            // Drawn positions are far above the versions. The numbers between them must not count as logged.
            expect(isLogged(state, version) === 'yes').toBe(logged.has(version));
            expect(holds(state, version)).toBe(logged.has(version));
          }
        }
      }),
    );
  });

  test('positions grow', () => {
    const batch = fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 20 }), (batches) => {
        let state = EMPTY_LOG;
        for (const versions of batches) {
          const next = appended(state, versions, 0);
          expect(next.position).toBeGreaterThan(state.position);
          expect(next.position).toBeGreaterThanOrEqual(Math.max(...versions));
          state = next;
        }
      }),
    );
  });

  test('a hole is forgotten between ten and twenty minutes after it opened', () => {
    let state = after([[2]], MINUTE_MS * 20);
    expect(isLogged(state, 1)).toBe('no');
    state = appended(state, [4], MINUTE_MS * 29);
    expect(isLogged(state, 1)).toBe('no');
    state = appended(state, [6], MINUTE_MS * 31);
    expect(isLogged(state, 1)).toBe('forgotten');
    expect(isLogged(state, 2)).toBe('forgotten');
    expect(isLogged(state, 3)).toBe('no');
    expect(holds(state, 1)).toBe(true);
  });

  test('the oldest holes are forgotten when there are more than a thousand', () => {
    const versions = Array.from({ length: 1500 }, (_, n) => 2 * n + 2);
    const state = after([versions]);
    expect(state.holes).toHaveLength(1000);
    expect(isLogged(state, 1)).toBe('forgotten');
    expect(isLogged(state, 2999)).toBe('no');
  });

  test('a version drawn before an epoch and logged after it needs a new epoch, and readers do not wait for it', () => {
    const state = withEpoch(after([[3]]), [], 10, 0);
    expect(state).toMatchObject({ segment: 2, epochSegment: 2, epochPosition: 10, position: 10 });
    expect(holds(state, 5)).toBe(true);
    expect(sortArrivals(state, [3, 5, 11])).toEqual({ fresh: [11], late: [5], forgotten: [] });
  });
});
