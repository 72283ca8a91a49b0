import { expect, test } from 'vitest';
import { parseCronSchedule } from '../../../lambdas/objects/schedules/cronSchedule.ts';

// The messages are those of robfig/cron v3.
test.each([
  ['', 'empty spec string'],
  ['@sometimes', 'unrecognized descriptor: @sometimes'],
  ['@reboot', 'unrecognized descriptor: @reboot'],
  ['@Daily', 'unrecognized descriptor: @Daily'],
  ['@every1h', 'unrecognized descriptor: @every1h'],
  [' @daily', 'expected exactly 5 fields, found 1: [@daily]'],
  ['@every day', 'failed to parse duration @every day: time: invalid duration "day"'],
  ['@every 1d', 'failed to parse duration @every 1d: time: unknown unit "d" in duration "1d"'],
  ['@every 5', 'failed to parse duration @every 5: time: missing unit in duration "5"'],
  ['* * *', 'expected exactly 5 fields, found 3: [* * *]'],
  ['0 0 * * * *', 'expected exactly 5 fields, found 6: [0 0 * * * *]'],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['* * * * 7', 'end of range (7) above maximum (6): 7'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['* * * * SAT-SUN', 'beginning of range (6) beyond end of range (0): SAT-SUN'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['-5 * * * *', 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
  ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
])('%j is no schedule', (schedule, error) => {
  expect(parseCronSchedule(schedule)).toEqual({ type: 'invalid', error });
});

/** The numbers of each field, in their order; `both` if a day must fit both fields of days. */
function shown(text: string): string {
  const schedule = parseCronSchedule(text);
  if (schedule.type !== 'fields') return JSON.stringify(schedule);
  const { minutes, hours, daysOfMonth, months, daysOfWeek, needsBothDays } = schedule;
  const lists = [minutes, hours, daysOfMonth, months, daysOfWeek].map((numbers) =>
    numbers.length > 8 ? `${numbers[0]}..${numbers.at(-1)}` : numbers.join(','),
  );
  return [...lists, ...(needsBothDays ? ['both'] : [])].join(' ');
}

const EVERY_DAY = '1..31 1..12 0,1,2,3,4,5,6 both';

test.each([
  ['* * * * *', `0..59 0..23 ${EVERY_DAY}`],
  ['\t1  2 *\t* * ', `1 2 ${EVERY_DAY}`],
  ['? ? ? ? ?', `0..59 0..23 ${EVERY_DAY}`],
  ['5/15 20/2 * * *', `5,20,35,50 20,22 ${EVERY_DAY}`],
  ['5-5/15 10-20/5 * * *', `5 10,15,20 ${EVERY_DAY}`],
  ['*/90 */1 * * *', `0 0..23 ${EVERY_DAY}`],
  ['*-5 0 * * *', `0..59 0 ${EVERY_DAY}`],
  ['3,1,,2,1 0 * * *', `1,2,3 0 ${EVERY_DAY}`],
  [', 0 * * *', ` 0 ${EVERY_DAY}`],
  ['0 0 1 jan-MAR Mon', '0 0 1 1,2,3 1'],
  ['0 0 1,15 * 1', '0 0 1,15 1..12 1'],
  // A star with a step is no star, and one star among other ranges is.
  ['0 0 */10 * 1', '0 0 1,11,21,31 1..12 1'],
  ['0 0 5,* * 1', '0 0 1..31 1..12 1 both'],
  ['0 0 13 * ?', '0 0 13 1..12 0,1,2,3,4,5,6 both'],
  ['@yearly', '0 0 1 1 0,1,2,3,4,5,6 both'],
  ['@annually', '0 0 1 1 0,1,2,3,4,5,6 both'],
  ['@monthly', '0 0 1 1..12 0,1,2,3,4,5,6 both'],
  ['@weekly', '0 0 1..31 1..12 0 both'],
  ['@daily', `0 0 ${EVERY_DAY}`],
  ['@midnight', `0 0 ${EVERY_DAY}`],
  ['@hourly', `0 0..23 ${EVERY_DAY}`],
  ['@every 1h30m', '{"type":"every","delayMs":5400000}'],
  ['@every 1500ms', '{"type":"every","delayMs":1000}'],
  ['@every 0', '{"type":"every","delayMs":1000}'],
  ['@every -1h', '{"type":"every","delayMs":1000}'],
])('the schedule %j', (schedule, expected) => {
  expect(shown(schedule)).toBe(expected);
});
