import * as fc from '../../support/seededFastCheck.ts';
import { describe, expect, test } from 'vitest';
import {
  countIndexes,
  encodeIntervals,
  firstMissing,
  hasIndex,
  intervalsOf,
  mergeIntervals,
  parseIntervals,
} from '../../../lambdas/controllers/job/indexIntervals.ts';

const COMPLETIONS = 40;
const indexes = fc.uniqueArray(fc.nat(COMPLETIONS - 1));

describe('intervals of completion indexes', () => {
  test.each([
    [[], ''],
    [[3], '3'],
    [[4, 3], '3,4'],
    [[5, 3, 4], '3-5'],
    [[0, 2, 3, 7, 8, 9], '0,2,3,7-9'],
  ])('%j are written %j', (list, text) => {
    expect(encodeIntervals(intervalsOf(list))).toBe(text);
  });

  test.each([
    ['beyond the completions are left out', '1,3-9,12', 5, '1,3,4'],
    ['that cannot be read are left out', '1,x,3-,4', 9, '1,4'],
    ['that touch are joined', '1,2,3-5', 9, '1-5'],
  ])('%s', (_, text, completions, read) => {
    expect(encodeIntervals(parseIntervals(text, completions))).toBe(read);
  });

  test('are read as they were written', () => {
    fc.assert(
      fc.property(indexes, (list) => {
        const intervals = intervalsOf(list);
        expect(parseIntervals(encodeIntervals(intervals), COMPLETIONS)).toEqual(intervals);
      }),
    );
  });

  test('are sets', () => {
    fc.assert(
      fc.property(indexes, indexes, (one, other) => {
        const union = mergeIntervals(intervalsOf(one), intervalsOf(other));
        const expected = new Set([...one, ...other]);
        expect(countIndexes(union)).toBe(expected.size);
        for (let index = 0; index < COMPLETIONS; index++) expect(hasIndex(union, index)).toBe(expected.has(index));
      }),
    );
  });

  test('leave the lowest others to be run', () => {
    fc.assert(
      fc.property(indexes, fc.nat(COMPLETIONS), (taken, count) => {
        const all = Array.from({ length: COMPLETIONS }, (_, index) => index).filter((index) => !taken.includes(index));
        expect(firstMissing(intervalsOf(taken), count, COMPLETIONS)).toEqual(all.slice(0, count));
      }),
    );
  });
});
