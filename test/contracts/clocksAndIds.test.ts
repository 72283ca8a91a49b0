import { describe, expect, test } from 'vitest';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { SystemClock } from '../../lambdas/adapters/clocks/SystemClock.ts';
import { SystemIds } from '../../lambdas/adapters/ids/SystemIds.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { formatMicroTime, formatTime, sleep, steadyClock } from '../../lambdas/ports/Clock.ts';

describe('VirtualClock', () => {
  test('fires timers at their due times and in that order, ties in the order in which they were set', () => {
    const clock = new VirtualClock(1_000);
    const fired: string[] = [];
    const set = (name: string, delayMs: number) =>
      clock.setTimer(delayMs, () => fired.push(`${name} at ${clock.now()}`));
    set('c', 30);
    set('a', 10);
    set('d', 30);
    set('b', 10);
    set('never', 1_000);
    expect(clock.nextDueMs()).toBe(1_010);
    clock.advanceBy(30);
    expect(fired).toEqual(['a at 1010', 'b at 1010', 'c at 1030', 'd at 1030']);
    expect(clock.now()).toBe(1_030);
    expect(clock.nextDueMs()).toBe(2_000);
  });

  test('fires timers that other timers set, when they are due', () => {
    const clock = new VirtualClock(0);
    const firedMs: number[] = [];
    const repeat = () => {
      firedMs.push(clock.now());
      clock.setTimer(10, repeat);
    };
    clock.setTimer(10, repeat);
    clock.advanceTo(35);
    expect(firedMs).toEqual([10, 20, 30]);
  });

  test('does not fire a timer that another timer cancelled at the same time', () => {
    const clock = new VirtualClock(0);
    const fired: string[] = [];
    clock.setTimer(10, () => cancel());
    const cancel = clock.setTimer(10, () => fired.push('cancelled'));
    clock.advanceBy(20);
    expect(fired).toEqual([]);
    expect(clock.nextDueMs()).toBeUndefined();
    cancel();
  });

  test('never goes back', () => {
    const clock = new VirtualClock(50);
    clock.advanceTo(20);
    expect(clock.now()).toBe(50);
  });
});

describe('a clock that is set', () => {
  test('shows another time of day, and its timers, its steady time and what waits for them go on', () => {
    const clock = new VirtualClock(1_000_000);
    const firedMs: number[] = [];
    clock.setTimer(100, () => firedMs.push(clock.now()));
    clock.step(-500_000);
    expect(clock.now()).toBe(500_000);
    expect(clock.steadyMs()).toBe(1_000_000);
    expect(steadyClock(clock).now()).toBe(1_000_000);
    clock.advanceBy(99);
    expect(firedMs).toEqual([]);
    expect(clock.nextDueMs()).toBe(500_100);
    clock.advanceBy(1);
    expect(firedMs).toEqual([500_100]);
    clock.step(2_000_000);
    expect([clock.now(), clock.steadyMs()]).toEqual([2_500_100, 1_000_100]);
  });

  test('the steady time of the machine passes whatever the time of day does', async () => {
    const clock = new SystemClock();
    const realNow = Date.now;
    const startMs = clock.steadyMs();
    try {
      Date.now = () => 0;
      await sleep(clock, 20);
      expect(clock.now()).toBe(0);
      expect(clock.steadyMs() - startMs).toBeGreaterThanOrEqual(19);
      expect(clock.steadyMs() - startMs).toBeLessThan(10_000);
    } finally {
      Date.now = realNow;
    }
  });
});

describe('formatting a time', () => {
  test.each([
    [Date.parse('2026-01-01T00:00:00.987Z'), '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.987000Z'],
    [Date.parse('9999-12-31T23:59:59.999Z'), '9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000000Z'],
    [9_007_199_254_740_991_000, '9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000000Z'],
    [Number.POSITIVE_INFINITY, '9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000000Z'],
    [-1e300, '0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
    [Number.NaN, '0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
  ])('never throws, and bounds what RFC 3339 cannot write: %d', (epochMs, time, microTime) => {
    expect(formatTime(epochMs)).toBe(time);
    expect(formatMicroTime(epochMs)).toBe(microTime);
  });
});

describe('SystemClock', () => {
  test('wakes after the delay, unless cancelled', async () => {
    const clock = new SystemClock();
    const startMs = clock.now();
    const cancel = clock.setTimer(1, () => expect.unreachable());
    cancel();
    await sleep(clock, 20);
    expect(clock.now() - startMs).toBeGreaterThanOrEqual(19);
  });

  test('supports delays longer than those of setTimeout', async () => {
    const clock = new SystemClock();
    const stop = new AbortController();
    const monthMs = 31 * 24 * 60 * 60 * 1000;
    const first = await Promise.race([
      sleep(clock, monthMs, stop.signal).then(() => 'month'),
      sleep(clock, 20).then(() => 'soon'),
    ]);
    stop.abort();
    expect(first).toBe('soon');
  });
});

describe.each([
  ['SystemIds', () => new SystemIds()],
  ['SeededIds', () => new SeededIds(42)],
])('%s', (_, make) => {
  test('makes UUIDs of version 4, name suffixes and fractions, all different', () => {
    const ids = make();
    const uids = Array.from({ length: 1_000 }, () => ids.uid());
    for (const uid of uids)
      expect(uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(uids).size).toBe(1_000);
    const suffixes = Array.from({ length: 1_000 }, () => ids.nameSuffix());
    for (const suffix of suffixes) expect(suffix).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(new Set(suffixes).size).toBeGreaterThan(990);
    const fractions = Array.from({ length: 10_000 }, () => ids.random());
    expect(Math.min(...fractions)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...fractions)).toBeLessThan(1);
    expect(fractions.reduce((sum, fraction) => sum + fraction) / 10_000).toBeCloseTo(0.5, 1);
  });
});

test('SeededIds repeat with the same seed and differ with another', () => {
  const draw = (seed: number) => {
    const ids = new SeededIds(seed);
    return [ids.uid(), ids.nameSuffix(), ids.random(), ids.uid()];
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});
