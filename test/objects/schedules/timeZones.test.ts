import { expect, test } from 'vitest';
import { isTimeZone, offsetMsAt } from '../../../lambdas/objects/schedules/timeZones.ts';

test.each([
  ['UTC', true],
  ['Etc/UTC', true],
  ['Europe/Berlin', true],
  ['US/Eastern', true],
  ['EST5EDT', true],
  ['europe/berlin', false],
  ['utc', false],
  ['+01:00', false],
  ['Europe/Atlantis', false],
  ['', false],
])('whether %j is a time zone: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});

const MINUTE_MS = 60_000;

test.each([
  ['UTC', '2026-01-01T00:00:00Z', 0],
  ['Europe/Berlin', '2026-01-01T00:00:00Z', 60],
  ['Europe/Berlin', '2026-07-01T00:00:00Z', 120],
  ['America/New_York', '2026-03-08T06:59:59.999Z', -300],
  ['America/New_York', '2026-03-08T07:00:00Z', -240],
  ['Asia/Kathmandu', '2026-03-08T07:00:00Z', 345],
])('the clocks of %s at %s are %i minutes ahead of UTC', (zone, at, minutes) => {
  expect(offsetMsAt(zone, Date.parse(at))).toBe(minutes * MINUTE_MS);
});
