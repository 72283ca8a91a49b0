import { expect, test } from 'vitest';
import { cronScheduleError } from '../../lambdas/objects/cronSchedule.ts';

// The messages are those of robfig/cron v3.
test.each([
  ['* * * * *', undefined],
  ['*/15 0-6,22 1 jan-mar MON', undefined],
  ['5/10 ? * * 0', undefined],
  ['@daily', undefined],
  ['@every 1h30m', undefined],
  ['', 'empty spec string'],
  ['@sometimes', 'unrecognized descriptor: @sometimes'],
  ['@every day', 'failed to parse duration @every day: time: invalid duration "day"'],
  ['* * *', 'expected exactly 5 fields, found 3: [* * *]'],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
])('the schedule %j', (schedule, error) => {
  expect(cronScheduleError(schedule)).toBe(error);
});
