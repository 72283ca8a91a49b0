import { expect, test } from 'vitest';
import { mostRecentScheduleTime } from '../../../lambdas/controllers/cronjob/mostRecentScheduleTime.ts';
import { parseCronSchedule } from '../../../lambdas/objects/schedules/cronSchedule.ts';
import { nextScheduledMs } from '../../../lambdas/objects/schedules/nextScheduledMs.ts';
import type { CronJob } from '../../../lambdas/objects/kinds.ts';

function scheduleOf(text: string) {
  const schedule = parseCronSchedule(text);
  if (schedule.type === 'invalid') throw new Error(schedule.error);
  return { schedule, timeZone: 'UTC' };
}

/** The last time that is due, and `many` if too many were missed. */
function dueOf(text: string, created: string, now: string, spec: object = {}): string {
  const metadata = { name: 'nightly', uid: 'cron-1', creationTimestamp: created, resourceVersion: '1' };
  const cronJob = { apiVersion: 'batch/v1', kind: 'CronJob', metadata, spec } as unknown as CronJob;
  const times = mostRecentScheduleTime(cronJob, scheduleOf(text), Date.parse(now), true);
  if (times.status === 'never') return 'never';
  const due = times.runMs === undefined ? 'none' : new Date(times.runMs).toISOString().slice(0, 16);
  return times.isManyMissed ? `${due} many` : due;
}

// 2 January 2026 is a Friday.
test.each([
  ['0 * * * *', '2026-01-02T09:20:00Z', '2026-01-02T09:59:59Z', {}, 'none'],
  ['0 * * * *', '2026-01-02T09:20:00Z', '2026-01-02T10:00:00Z', {}, '2026-01-02T10:00'],
  ['0 * * * *', '2026-01-02T09:20:00Z', '2026-01-02T12:30:00Z', {}, '2026-01-02T12:00'],
  ['0 * * * *', '2026-01-02T09:20:00Z', '2026-01-06T13:30:00Z', {}, '2026-01-06T13:00'],
  ['0 * * * *', '2026-01-02T09:20:00Z', '2026-01-06T14:00:00Z', {}, '2026-01-06T14:00 many'],
  ['0 * * * *', '2026-01-02T09:20:00Z', '2036-01-06T14:30:00Z', {}, '2036-01-06T14:00 many'],
  ['0 * * * *', '2026-01-02T09:20:00Z', '2036-01-06T14:30:00Z', { startingDeadlineSeconds: 7200 }, '2036-01-06T14:00'],
  ['0 * * * *', '2026-01-02T09:20:00Z', '2036-01-06T14:30:00Z', { startingDeadlineSeconds: 60 }, 'none'],
  // Uneven schedules: Kubernetes looks after the last time of these, and finds none.
  ['0,5 12 * * 5', '2026-01-02T09:20:00Z', '2026-01-05T09:00:00Z', {}, '2026-01-02T12:05 many'],
  ['30 6-16/4 * * 1-5', '2026-01-02T09:20:00Z', '2026-01-04T09:00:00Z', {}, '2026-01-02T14:30'],
  ['59 23 31 2 *', '2026-01-02T09:20:00Z', '2026-01-05T09:00:00Z', {}, 'never'],
  ['0 0 29 2 *', '2026-01-02T09:20:00Z', '2026-01-05T09:00:00Z', {}, 'none'],
  ['0 0 29 2 *', '2026-01-02T09:20:00Z', '2033-01-05T09:00:00Z', {}, '2032-02-29T00:00'],
  ['@every 1h30m', '2026-01-02T09:20:00Z', '2026-01-02T13:00:00Z', {}, '2026-01-02T12:20'],
  ['@every 1s', '2026-01-02T09:20:00Z', '2026-02-02T13:00:00Z', {}, '2026-02-02T13:00 many'],
])('%s since %s, at %s: %j', (schedule, created, now, spec, expected) => {
  expect(dueOf(schedule, created, now, spec)).toBe(expected);
});

const HOUR_MS = 3_600_000;
const DAYS = 30;

test.each(['*/7 * * * *', '13 4,16 * * 2', '0 0 1,15 * 5', '* 9 * * *'])('%s: it is the last of all times', (text) => {
  const created = '2026-01-02T09:20:00Z';
  const endMs = Date.parse(created) + DAYS * 24 * HOUR_MS;
  const all: number[] = [];
  for (let at: number | undefined = Date.parse(created); at !== undefined && at < endMs; ) {
    at = nextScheduledMs(scheduleOf(text).schedule, 'UTC', at);
    if (at !== undefined) all.push(at);
  }
  for (let nowMs = Date.parse(created); nowMs < endMs; nowMs += 7 * HOUR_MS + 1_234_567) {
    const last = all.findLast((at) => at <= nowMs);
    const expected = last === undefined ? 'none' : new Date(last).toISOString().slice(0, 16);
    const now = new Date(nowMs).toISOString();
    expect([now, dueOf(text, created, now).replace(' many', '')]).toEqual([now, expected]);
  }
});
