import { describe, expect, test } from 'vitest';
import {
  decideLeaseSize,
  decideRefusalMs,
  decideTake,
  type SpentLease,
} from '../../../../lambdas/adapters/aws/limits/decideLease.ts';

const RATE = { perSecond: 40, burst: 80 };

describe('the tokens that a process takes at once', () => {
  test.each<[string, SpentLease | undefined, number, number]>([
    ['are one at first', undefined, 1, 1],
    ['are twice as many when those before were spent in time', { size: 2, isUsedUp: true }, 1, 4],
    ['are one again when some of those before are lost', { size: 8, isUsedUp: false }, 1, 1],
    ['are at most a quarter of what comes in a second', { size: 8, isUsedUp: true }, 1, 10],
    ['are as many as requests wait', undefined, 30, 30],
  ])('%s', (_, last, waiting, size) => {
    expect(decideLeaseSize(RATE, last, waiting)).toBe(size);
  });

  test('are at most a quarter of the burst', () => {
    expect(decideLeaseSize({ perSecond: 40, burst: 8 }, { size: 8, isUsedUp: true }, 1)).toBe(2);
  });
});

describe('a take of five tokens', () => {
  test.each([
    ['begins the time of a bucket that nobody has used', undefined, { how: 'fromFull', count: 5 }],
    ['begins the time of a bucket that is full', 10_000, { how: 'fromFull', count: 5 }],
    ['moves the time of a bucket that lacks some', 10_500, { how: 'fromPart', count: 5 }],
    ['is smaller where fewer are left', 11_950, { how: 'fromPart', count: 2 }],
    ['is refused where none is', 12_000, { how: 'refused' }],
    ['is refused where another process, whose clock is ahead, took the last', 14_000, { how: 'refused' }],
    ['is one where the bucket was emptied at a lower rate', 90_000, { how: 'reopen', count: 1, beyondMs: 14_000.25 }],
  ])('%s', (_, fullAtMs, take) => {
    expect(decideTake(RATE, fullAtMs, 10_000, 5, 2_000)).toEqual(take);
  });
});

describe('an empty bucket is not asked again', () => {
  test.each([
    ['before it has half a burst', { perSecond: 40, burst: 40 }, 500],
    ['for a second, however long that takes', { perSecond: 1, burst: 40 }, 1_000],
    ['before it has a token', { perSecond: 2, burst: 1 }, 500],
    ['for a quarter of a second, however small the burst is', { perSecond: 100, burst: 10 }, 250],
  ])('%s', (_, rate, ms) => {
    const fullAtMs = 10_000 + (rate.burst / rate.perSecond) * 1_000;
    expect(decideRefusalMs(rate, fullAtMs, 10_000)).toBe(ms);
  });
});
