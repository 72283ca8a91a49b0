import { describe, expect, test } from 'vitest';
import { parseCronSchedule } from '../../../lambdas/objects/schedules/cronSchedule.ts';
import { nextScheduledMs } from '../../../lambdas/objects/schedules/nextScheduledMs.ts';

/** The next runs after a time, each without its seconds: `2026-03-08T07:00`. */
function runsOf(text: string, timeZone: string, after: string, count: number): string[] {
  const schedule = parseCronSchedule(text);
  if (schedule.type === 'invalid') throw new Error(schedule.error);
  const runs: string[] = [];
  let atMs: number | undefined = Date.parse(after);
  while (runs.length < count) {
    atMs = nextScheduledMs(schedule, timeZone, atMs);
    if (atMs === undefined) return runs;
    runs.push(new Date(atMs).toISOString().replace(/:00\.000Z$/, ''));
  }
  return runs;
}

describe('the next runs of a schedule', () => {
  test.each([
    ['0/15 * * * *', '2012-07-09T14:45:00Z', ['2012-07-09T15:00', '2012-07-09T15:15']],
    ['0/15 * * * *', '2012-07-09T14:59:59.5Z', ['2012-07-09T15:00']],
    ['20-35/15 * * * *', '2012-07-09T23:45:00Z', ['2012-07-10T00:20', '2012-07-10T00:35']],
    ['0 0 9 Apr-Oct ?', '2012-07-09T23:35:00Z', ['2012-08-09T00:00', '2012-09-09T00:00']],
    ['0 0 */5 Oct Mon', '2012-07-09T23:35:00Z', ['2012-10-01T00:00', '2012-10-06T00:00', '2012-10-08T00:00']],
    ['0 0 * Feb Mon', '2012-07-09T23:35:00Z', ['2013-02-04T00:00']],
    ['0 0 29 Feb ?', '2012-07-09T23:35:00Z', ['2016-02-29T00:00', '2020-02-29T00:00']],
    ['* * * * *', '2012-12-31T23:59:45Z', ['2013-01-01T00:00']],
    // Friday the 13th takes both days; a 13th or a Friday is enough when neither field is a star.
    ['0 0 13 * 5', '2026-02-01T00:00:00Z', ['2026-02-06T00:00', '2026-02-13T00:00', '2026-02-20T00:00']],
    ['0 0 * * 5', '2026-02-01T00:00:00Z', ['2026-02-06T00:00', '2026-02-13T00:00', '2026-02-20T00:00']],
    ['@every 90s', '2026-02-01T00:00:00.7Z', ['2026-02-01T00:01:30.000Z', '2026-02-01T00:03']],
    ['0 0 30 Feb ?', '2012-07-09T23:35:00Z', []],
    ['0 0 31 Apr ?', '2012-07-09T23:35:00Z', []],
    [', * * * *', '2012-07-09T23:35:00Z', []],
  ])('%s after %s', (schedule, after, runs) => {
    const found = runsOf(schedule, 'UTC', after, Math.max(1, runs.length));
    expect(found).toEqual(runs);
  });
});

describe('in a time zone', () => {
  test.each([
    ['0 9 * * *', 'Europe/Berlin', '2026-07-01T00:00:00Z', ['2026-07-01T07:00', '2026-07-02T07:00']],
    ['0 9 * * *', 'Asia/Kolkata', '2026-07-01T00:00:00Z', ['2026-07-01T03:30', '2026-07-02T03:30']],
    ['0 0 1 * *', 'Pacific/Kiritimati', '2026-07-01T00:00:00Z', ['2026-07-31T10:00']],
    ['0 0 1 * *', 'Pacific/Pago_Pago', '2026-07-01T00:00:00Z', ['2026-07-01T11:00']],
    // New York leaves out 02:00 to 03:00 on 8 March 2026: that day has no run.
    ['30 2 * * *', 'America/New_York', '2026-03-07T12:00:00Z', ['2026-03-09T06:30']],
    ['30 * * * *', 'America/New_York', '2026-03-08T05:45:00Z', ['2026-03-08T06:30', '2026-03-08T07:30']],
    ['* * * * *', 'America/New_York', '2026-03-08T06:58:00Z', ['2026-03-08T06:59', '2026-03-08T07:00']],
    // It shows 01:00 to 02:00 twice on 1 November 2026: that day has two runs.
    [
      '30 1 * * *',
      'America/New_York',
      '2026-10-31T12:00:00Z',
      ['2026-11-01T05:30', '2026-11-01T06:30', '2026-11-02T06:30'],
    ],
    // São Paulo had no midnight on 4 November 2018, and Havana has two on 1 November 2026.
    ['0 0 * * 0', 'America/Sao_Paulo', '2018-10-29T12:00:00Z', ['2018-11-11T02:00']],
    ['0 0 * * *', 'America/Havana', '2026-10-31T12:00:00Z', ['2026-11-01T04:00', '2026-11-01T05:00']],
    // Lord Howe Island changes its clocks by half an hour.
    ['15,45 2 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00:00Z', ['2026-10-03T15:45', '2026-10-04T15:15']],
    // Newfoundland went from 00:01 back to 23:01 of the day before.
    [
      '30 23 * * *',
      'America/St_Johns',
      '2010-11-06T12:00:00Z',
      ['2010-11-07T02:00', '2010-11-07T03:00', '2010-11-08T03:00'],
    ],
  ])('%s of %s after %s', (schedule, timeZone, after, runs) => {
    expect(runsOf(schedule, timeZone, after, runs.length)).toEqual(runs);
  });
});
