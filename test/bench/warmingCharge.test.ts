import { expect, test } from 'vitest';
import { warmingCharge } from './warmingCharge.ts';

test.each([
  ['nothing', {}, 0],
  ['what a new table bears anyway', { objects: { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 4_000 } }, 0],
  ['writes', { versions: { writeUnitsPerSecond: 16_000 } }, 7.8],
  ['reads', { log: { readUnitsPerSecond: 13_000 } }, 0.13],
  ['a table with a global index', { keys: { writeUnitsPerSecond: 16_000 } }, 15.6],
  [
    'what the README advises',
    {
      objects: { writeUnitsPerSecond: 24_000 },
      keys: { writeUnitsPerSecond: 16_000 },
      versions: { writeUnitsPerSecond: 16_000 },
    },
    36.4,
  ],
])('warming %s is charged once', (_, warm, dollars) => {
  expect(warmingCharge(warm)).toBeCloseTo(dollars, 5);
});
