import { describe, expect, test } from 'vitest';
import { fullAfter, latestFullAt, msUntil, tokensIn } from '../../lambdas/objects/tokenBucket.ts';

const TEN = { perSecond: 10, burst: 20 };

describe('a bucket of ten tokens a second, twenty at most', () => {
  test.each([
    ['is full before anybody took one', 0, 5_000, 20],
    ['is full at its time', 5_000, 5_000, 20],
    ['stays full', 5_000, 50_000, 20],
    ['lacks five half a second before it is full', 5_500, 5_000, 15],
    ['has no part of a token', 5_550, 5_000, 14],
    ['is empty two seconds before', 7_000, 5_000, 0],
    ['is empty where a clock that is ahead has taken more', 9_000, 5_000, 0],
    ['has a token that is a millionth too small', 6_900.0001, 5_000, 1],
  ])('%s', (_, fullAtMs, nowMs, tokens) => {
    expect(tokensIn(TEN, fullAtMs, nowMs)).toBe(tokens);
  });

  test.each([
    ['from a full one', 0, 5_000, 5, 5_500],
    ['from one that lacks some', 5_500, 5_000, 5, 6_000],
  ])('has its time moved by 100 ms for each token, %s', (_, fullAtMs, nowMs, count, after) => {
    expect(fullAfter(TEN, fullAtMs, nowMs, count)).toBe(after);
  });

  test.each([
    ['at once if it has it', 6_900, 5_000, 1, 0],
    ['after its interval if it is empty', 7_000, 5_000, 1, 100],
    ['after that of each if they are several', 7_000, 5_000, 10, 1_000],
    ['never if it holds fewer', 0, 5_000, 21, Number.POSITIVE_INFINITY],
  ])('has the next %s', (_, fullAtMs, nowMs, count, ms) => {
    expect(msUntil(TEN, fullAtMs, nowMs, count)).toBe(ms);
  });

  test('has a token exactly as long as its time is at most the latest one with a token', () => {
    const latest = latestFullAt(TEN, 5_000, 1);
    expect(tokensIn(TEN, latest - 0.001, 5_000)).toBe(1);
    expect(tokensIn(TEN, latest + 0.001, 5_000)).toBe(0);
  });
});

test('a bucket without a rate is empty for ever', () => {
  const none = { perSecond: 0, burst: 1 };
  expect(tokensIn(none, 0, 5_000)).toBe(0);
  expect(msUntil(none, 0, 5_000, 1)).toBe(Number.POSITIVE_INFINITY);
});
