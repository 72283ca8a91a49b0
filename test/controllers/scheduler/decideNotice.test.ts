import { expect, test } from 'vitest';
import { decideNotice, mayRepel } from '../../../lambdas/controllers/scheduler/decideNotice.ts';
import type { FilterPluginName } from '../../../lambdas/controllers/scheduler/framework/Plugin.ts';
import {
  encodeNotice,
  type NoticeMap,
  parseNotice,
  type SchedulerNotice,
} from '../../../lambdas/controllers/scheduler/SchedulerNotice.ts';

const DELAYS = { seenMs: 5_000, heldMs: 20_000 };
const NOW_MS = Date.parse('2026-01-01T00:01:00Z');
const FIT: SchedulerNotice = { waitsFor: new Set<FilterPluginName>(['NodeResourcesFit']) };
const held = (agoMs: number): SchedulerNotice => ({ plainPods: { state: 'held', sinceMs: NOW_MS - agoMs } });
const released = (agoMs: number): SchedulerNotice => ({ plainPods: { state: 'released', sinceMs: NOW_MS - agoMs } });
const both: SchedulerNotice = { waitsFor: new Set<FilterPluginName>(['NodeResourcesFit', 'NodePorts']) };

test.each<
  [string, SchedulerNotice, { waitsFor?: SchedulerNotice['waitsFor']; repels?: boolean; left?: number }, object]
>([
  ['nothing waits', {}, {}, { notice: {} }],
  ['a pod begins to wait', {}, FIT, { notice: FIT, recheckMs: 5_000 }],
  ['pods wait for the same as before', FIT, FIT, { notice: FIT }],
  ['pods wait for something else, too', FIT, both, { notice: both, recheckMs: 5_000 }],
  ['pods wait for less', both, FIT, { notice: FIT }],
  ['nothing waits any more', FIT, {}, { notice: {} }],
  ['nothing is known of pods beyond the limit', FIT, { left: 3 }, { notice: FIT }],
  ['a pod keeps others away', {}, { repels: true }, { notice: held(0), recheckMs: 20_000 }],
  ['plain pods are held already', held(15_000), { repels: true }, { notice: held(15_000), recheckMs: 5_000 }],
  ['plain pods have been held for long', held(90_000), { repels: true }, { notice: held(90_000) }],
  ['the clock was set back since', held(-3_600_000), { repels: true }, { notice: held(0), recheckMs: 20_000 }],
  ['no pod keeps others away any more', held(90_000), {}, { notice: released(0), recheckMs: 20_000 }],
  ['plain pods were released a moment ago', released(5_000), {}, { notice: released(5_000), recheckMs: 15_000 }],
  ['everybody knows that they were released', released(20_000), {}, { notice: {} }],
  ['a pod keeps others away again', released(5_000), { repels: true }, { notice: held(0), recheckMs: 20_000 }],
])('%s', (_what, before, { waitsFor, repels = false, left = 0 }, expected) => {
  expect(decideNotice(before, { waitsFor, repels, left }, DELAYS, NOW_MS)).toEqual(expected);
});

test('where everybody knows at once, the scheduler looks again at once', () => {
  const delays = { seenMs: 0, heldMs: 0 };
  const decided = decideNotice({}, { waitsFor: undefined, repels: true, left: 0 }, delays, NOW_MS);
  expect(decided).toEqual({ notice: held(0), recheckMs: 0 });
  expect(mayRepel(decided.notice, delays, NOW_MS)).toBe(true);
});

test.each<[SchedulerNotice, boolean]>([
  [{}, false],
  [held(19_999), false],
  [held(20_000), true],
  [released(90_000), false],
])('with %j, whether a pod may keep others away is %s', (notice, expected) => {
  expect(mayRepel(notice, DELAYS, NOW_MS)).toBe(expected);
});

test.each<[SchedulerNotice]>([
  [{}],
  [FIT],
  [both],
  [held(1_234)],
  [{ ...both, ...released(7) }],
  [{ waitsFor: new Set() }],
])('a ConfigMap says %j', (notice) => {
  const map = encodeNotice(undefined, notice) as NoticeMap;
  expect(parseNotice(map)).toEqual(notice);
  expect(parseNotice(encodeNotice(map, {}) as NoticeMap)).toEqual({});
});
