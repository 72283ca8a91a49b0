import { expect, test } from 'vitest';
import { virtualStartMs } from '../../../infra/testCluster/virtualTime.ts';

const FIXED_MS = Date.UTC(2026, 0, 1);

test.each([
  ['is fixed', undefined, undefined, FIXED_MS],
  ['is what the directory has reached', undefined, 5_000, 5_000],
  ['is the wanted one', 7_000, undefined, 7_000],
  ['may be later than what the directory has reached', 7_000, 5_000, 7_000],
  ['may not be earlier than that', 4_999, 5_000, 'tooEarly'],
])('the first time of a virtual clock %s', (_, startMs, reachedMs, wanted) => {
  expect(virtualStartMs(startMs, reachedMs)).toBe(wanted);
});
