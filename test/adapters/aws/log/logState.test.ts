import * as fc from '../../../support/seededFastCheck.ts';
import { describe, expect, test } from 'vitest';
import {
  EMPTY_LOG,
  type LogState,
  mustMoveHead,
  type SegmentMark,
  skippedTo,
  withSegment,
} from '../../../../lambdas/adapters/aws/log/logState.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const T0 = 1_800_000_000_000;

function after(segments: readonly Partial<SegmentMark>[], state = EMPTY_LOG): LogState {
  return segments.reduce((from: LogState, segment) => {
    return withSegment(from, { kind: 'changes', position: from.position + 1, atMs: T0, ...segment });
  }, state);
}

describe('the state of a log', () => {
  test('counts segments and takes their positions', () => {
    expect(after([{ position: 5 }, { position: 9 }])).toMatchObject({ segment: 2, position: 9, epochSegment: 0 });
  });

  test('an epoch expires the positions before it, and later segments keep that', () => {
    const state = after([{ position: 5 }, { kind: 'epoch', position: 7 }, { position: 9 }]);
    expect(state).toMatchObject({ segment: 3, position: 9, epochSegment: 2, epochPosition: 7 });
  });

  test('barriers are listed by their segments', () => {
    expect(after([{}, { kind: 'barrier' }, {}, { kind: 'barrier' }]).barriers).toEqual([2, 4]);
  });

  test('versions are settled between 26 and 27 hours after the log passed them', () => {
    const hourly = Array.from({ length: 60 }, (_, n) => ({ position: 100 * (n + 1), atMs: T0 + (n * HOUR_MS) / 2 }));
    for (let n = 1; n <= hourly.length; n += 1) {
      const { settled, ages } = after(hourly.slice(0, n));
      const nowMs = hourly[n - 1]?.atMs ?? 0;
      const passedAtMs = (position: number) => hourly.find((one) => one.position >= position)?.atMs ?? 0;
      if (settled > 0) expect(nowMs - passedAtMs(settled)).toBeGreaterThanOrEqual(26 * HOUR_MS);
      expect(nowMs - passedAtMs(settled + 1)).toBeLessThan(27 * HOUR_MS);
      expect(ages.length).toBeLessThanOrEqual(28);
    }
  });

  test.each([
    ['the first segment ever', [T0], [1]],
    ['a burst: not more than once a second', Array.from({ length: 100 }, (_, n) => T0 + n * 10), [1]],
    ['a stream: every sixteenth', Array.from({ length: 40 }, (_, n) => T0 + n * 100), [1, 17, 33]],
    ['a trickle: once an hour', [T0, T0 + HOUR_MS / 2, T0 + HOUR_MS, T0 + 3 * HOUR_MS], [1, 3, 4]],
  ])('the head is moved by %s', (_, times, movers) => {
    let state = EMPTY_LOG;
    const moved: number[] = [];
    for (const atMs of times) {
      state = withSegment(state, { kind: 'changes', position: state.position + 1, atMs });
      if (mustMoveHead(state)) moved.push(state.segment);
    }
    expect(moved).toEqual(movers);
  });

  test('all readers derive the same state, wherever they begin', () => {
    const mark = fc.record({
      kind: fc.constantFrom('changes', 'epoch', 'barrier'),
      by: fc.integer({ min: 1, max: 50 }),
      laterMs: fc.integer({ min: 0, max: 3 * HOUR_MS }),
    });
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 40 }), fc.nat(), (marks, at) => {
        let [position, atMs] = [0, T0];
        const segments = marks.map(({ kind, by, laterMs }): SegmentMark => {
          position += by;
          atMs += laterMs;
          return { kind, position, atMs };
        });
        const last = after(segments);
        const from = at % (segments.length + 1);
        const head = JSON.parse(JSON.stringify(after(segments.slice(0, from)))) as LogState;
        expect(after(segments.slice(from), head)).toEqual(last);
        expect(last.position).toBeGreaterThanOrEqual(last.epochPosition);
        expect(last.settled).toBeLessThanOrEqual(last.position);
      }),
    );
  });

  test('segments that were deleted are skipped, and their versions are settled', () => {
    const state = after([{ position: 5 }]);
    expect(skippedTo(state, { segment: 2, previousPosition: 5 })).toBe(state);
    expect(skippedTo(state, { segment: 9, previousPosition: 80 })).toMatchObject({
      segment: 8,
      position: 80,
      settled: 80,
    });
  });
});
