import { describe, expect, test } from 'vitest';
import { decideRun, remember, scheduleText } from '../../../lambdas/controllers/cronjob/decideRun.ts';
import type { CronJob } from '../../../lambdas/objects/kinds.ts';
import { cronJobManifest } from '../../support/cronJobFixtures.ts';

const CREATED = '2026-01-01T00:00:00Z';

/** A CronJob of one run an hour, created at midnight. */
function cronJob(spec: object = {}, status: object = {}, metadata: object = {}): CronJob {
  const stored = { uid: 'cron-1', creationTimestamp: CREATED, resourceVersion: '1' };
  const manifest = cronJobManifest({ schedule: '@hourly', ...spec }, {}, { ...stored, ...metadata });
  return { ...manifest, status } as unknown as CronJob;
}

/** `02:00` of the first day, in milliseconds since the epoch. */
const at = (time: string) => Date.parse(`2026-01-01T${time.length === 5 ? `${time}:00` : time}Z`);

const timeOf = (atMs: number | undefined) =>
  atMs === undefined ? '-' : new Date(atMs).toISOString().slice(11, 19).replace(/:00$/, '');

/** `run 02:00, next 03:00`, or `no run, next 03:00: noRunIsDue`, then the reasons of the events. */
function decided(given: CronJob, now: string, memory?: { schedule: string; sinceMs?: number; runMs?: number }): string {
  const { runMs, nextMs, happened, why } = decideRun({ cronJob: given, memory, nowMs: at(now) });
  const run = runMs === undefined ? 'no run' : `run ${timeOf(runMs)}`;
  const because = runMs === undefined ? `: ${why.reason}` : '';
  return [`${run}, next ${timeOf(nextMs)}${because}`, ...happened.map(({ reason }) => reason)].join(' + ');
}

const ACTIVE = { active: [{ name: 'nightly-1', uid: 'job-1' }], lastScheduleTime: '2026-01-01T01:00:00Z' };
const active = (name: string) => ({ active: [{ name, uid: 'job-1' }] });
/** The minutes since the epoch at 02:00. */
const TWO = at('02:00') / 60_000;

describe('a CronJob', () => {
  test.each<[string, CronJob, string, string]>([
    ['before its first time', cronJob(), '00:59:59', 'no run, next 01:00: noRunIsDue'],
    ['at its first time', cronJob(), '01:00', 'run 01:00, next 02:00'],
    ['that has missed some', cronJob(), '05:30', 'run 05:00, next 06:00'],
    [
      'that has run last',
      cronJob({}, { lastScheduleTime: '2026-01-01T01:00:00Z' }),
      '01:00:01',
      'no run, next 02:00: noRunIsDue',
    ],
    ['that is due again', cronJob({}, { lastScheduleTime: '2026-01-01T01:00:00Z' }), '02:00', 'run 02:00, next 03:00'],
    [
      'whose run has its Job already',
      cronJob({}, active(`nightly-${TWO}`)),
      '02:10',
      'no run, next 03:00: runHasStarted',
    ],
    ['that is suspended', cronJob({ suspend: true }), '02:00', 'no run, next -: cronJobIsSuspended'],
    [
      'that is being deleted',
      cronJob({}, {}, { deletionTimestamp: CREATED }),
      '02:00',
      'no run, next -: cronJobIsBeingDeleted',
    ],
    ['within its deadline', cronJob({ startingDeadlineSeconds: 60 }), '02:00:59', 'run 02:00, next 03:00'],
    ['after its deadline', cronJob({ startingDeadlineSeconds: 60 }), '02:01', 'no run, next 03:00: runIsTooLate'],
    [
      'with a deadline before its first time',
      cronJob({ startingDeadlineSeconds: 60 }),
      '00:30',
      'no run, next 01:00: noRunIsDue',
    ],
    [
      'with Forbid and an active Job',
      cronJob({ concurrencyPolicy: 'Forbid' }, ACTIVE),
      '02:00',
      'no run, next 03:00: runIsForbidden + JobAlreadyActive',
    ],
    ['with Forbid and no active Job', cronJob({ concurrencyPolicy: 'Forbid' }), '02:00', 'run 02:00, next 03:00'],
    [
      'with Replace and an active Job',
      cronJob({ concurrencyPolicy: 'Replace' }, ACTIVE),
      '02:00',
      'run 02:00, next 03:00',
    ],
    ['that missed 100', cronJob({ schedule: '* * * * *' }), '01:40', 'run 01:40, next 01:41'],
    ['that missed 101', cronJob({ schedule: '* * * * *' }), '01:41', 'run 01:41, next 01:42 + TooManyMissedTimes'],
    [
      'that missed 101, of which its deadline leaves one',
      cronJob({ schedule: '* * * * *', startingDeadlineSeconds: 60 }),
      '01:41',
      'run 01:41, next 01:42',
    ],
    ['with @every, from its creation', cronJob({ schedule: '@every 7m' }), '00:15', 'run 00:14, next 00:21'],
    [
      'with @every, from its last run',
      cronJob({ schedule: '@every 7m' }, { lastScheduleTime: '2026-01-01T01:01:00Z' }),
      '01:09',
      'run 01:08, next 01:15',
    ],
    [
      'in another zone',
      cronJob({ schedule: '30 7 * * *', timeZone: 'Asia/Kolkata' }),
      '02:00',
      'run 02:00, next 02:00',
    ],
    [
      'in a zone that is unknown',
      cronJob({ timeZone: 'Europe/Atlantis' }),
      '02:00',
      'no run, next -: timeZoneIsUnknown + UnknownTimeZone',
    ],
    [
      'with a schedule that means nothing',
      cronJob({ schedule: '* *' }),
      '02:00',
      'no run, next -: scheduleIsInvalid + UnparseableSchedule',
    ],
    [
      'with a schedule without a time',
      cronJob({ schedule: '0 0 31 2 *' }),
      '02:00',
      'no run, next -: scheduleIsInvalid + InvalidSchedule',
    ],
  ])('%s', (_, given, now, expected) => {
    expect(decided(given, now)).toBe(expected);
  });

  test.each<[string, object, string]>([
    [
      'UnknownTimeZone',
      { timeZone: 'Europe/Atlantis' },
      'invalid timeZone: "Europe/Atlantis": unknown time zone Europe/Atlantis',
    ],
    [
      'UnparseableSchedule',
      { schedule: '* *' },
      'unparseable schedule: "* *" : expected exactly 5 fields, found 2: [* *]',
    ],
  ])('says in Kubernetes’ words: %s', (reason, spec, message) => {
    const { happened } = decideRun({ cronJob: cronJob(spec), memory: undefined, nowMs: at('02:00') });
    expect(happened).toEqual([{ type: 'Warning', reason, message }]);
  });

  test('names the Jobs that a run replaces', () => {
    const given = cronJob({ concurrencyPolicy: 'Replace' }, ACTIVE);
    expect(decideRun({ cronJob: given, memory: undefined, nowMs: at('02:00') }).why).toEqual({
      reason: 'runStarts',
      runMs: at('02:00'),
      name: `nightly-${TWO}`,
      replaces: ['nightly-1'],
    });
  });
});

describe('a schedule', () => {
  const HOURLY = scheduleText(cronJob());
  const DAILY = scheduleText(cronJob({ schedule: '@daily' }));

  test.each<[string, Parameters<typeof decided>[2], string]>([
    ['that is the first', { schedule: HOURLY }, 'run 05:00, next 06:00'],
    ['that has just changed', { schedule: DAILY }, 'no run, next 06:00: runIsOfOtherSchedule'],
    [
      'that changed after its last time',
      { schedule: HOURLY, sinceMs: at('05:10') },
      'no run, next 06:00: runIsOfOtherSchedule',
    ],
    ['that changed before its last time', { schedule: HOURLY, sinceMs: at('04:10') }, 'run 05:00, next 06:00'],
  ])('%s', (_, memory, expected) => {
    expect(decided(cronJob(), '05:30', memory)).toBe(expected);
  });

  const NOW = at('05:30');

  test.each<[string, Parameters<typeof decided>[2], number | undefined, unknown]>([
    ['the first schedule', undefined, undefined, { schedule: HOURLY }],
    ['the first run', { schedule: HOURLY }, 1, { schedule: HOURLY, runMs: 1 }],
    [
      'another schedule, and since when',
      { schedule: DAILY, runMs: 1 },
      undefined,
      { schedule: HOURLY, sinceMs: NOW, runMs: 1 },
    ],
    ['another run', { schedule: HOURLY, sinceMs: 2, runMs: 1 }, 3, { schedule: HOURLY, sinceMs: 2, runMs: 3 }],
  ])('is remembered: %s', (_, memory, runMs, expected) => {
    expect(remember({ cronJob: cronJob(), memory, nowMs: NOW }, runMs)).toEqual(expected);
  });

  test.each([undefined, 1])('and run that are known already need no write: %s', (runMs) => {
    const memory = { schedule: HOURLY, runMs: 1 };
    expect(remember({ cronJob: cronJob(), memory, nowMs: NOW }, runMs)).toBe(memory);
  });
});
