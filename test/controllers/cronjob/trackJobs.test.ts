import { describe, expect, test } from 'vitest';
import { decideHistory } from '../../../lambdas/controllers/cronjob/decideHistory.ts';
import { jobFromTemplate, plannedJob } from '../../../lambdas/controllers/cronjob/jobFromTemplate.ts';
import { keysForChange } from '../../../lambdas/controllers/cronjob/keysForChange.ts';
import { trackJobs } from '../../../lambdas/controllers/cronjob/trackJobs.ts';
import type { CronJob, Job } from '../../../lambdas/objects/kinds.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import { cronJobManifest } from '../../support/cronJobFixtures.ts';

const STORED = { uid: 'cron-1', creationTimestamp: '2026-01-01T00:00:00Z', resourceVersion: '1' };
const OWNER = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid: 'cron-1', controller: true };

function cronJob(status: object = {}, spec: Readonly<Record<string, unknown>> = {}): CronJob {
  return { ...cronJobManifest(spec, {}, STORED), status } as unknown as CronJob;
}

/** A Job by hand. `ended` is its last condition; it ended at the given second of the day. */
function job(name: string, ended?: 'Complete' | 'Failed', atSecond = 0, metadata: object = {}): Job {
  const time = new Date(Date.parse('2026-01-01T00:00:00Z') + atSecond * 1000).toISOString().replace('.000Z', 'Z');
  const conditions = ended ? [{ type: ended, status: 'True' }] : [];
  const status = { startTime: time, conditions, ...(ended === 'Complete' && { completionTime: time }) };
  const common = { ...STORED, name, namespace: 'default', uid: `uid-${name}`, ownerReferences: [OWNER] };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { ...common, ...metadata }, status };
}

const refs = (...names: string[]) => names.map((name) => ({ name, namespace: 'default', uid: `uid-${name}` }));

/** `active a, b; last …; success …; events`. */
function tracked(given: CronJob, jobs: readonly Job[], others: readonly string[] = []) {
  const { status, happened } = trackJobs({ cronJob: given, jobs, others: new Set(others) });
  return {
    active: (status.active ?? []).map(({ name }) => name),
    ...(status.lastScheduleTime !== undefined && { last: status.lastScheduleTime }),
    ...(status.lastSuccessfulTime !== undefined && { success: status.lastSuccessfulTime }),
    events: happened.map(({ reason, message }) => `${reason}: ${message}`),
  };
}

describe('the status of a CronJob', () => {
  test('keeps the Jobs that run, and says which have ended or are gone', () => {
    const given = cronJob({ active: refs('a', 'b', 'c', 'd', 'e') });
    const jobs = [job('a'), job('b', 'Complete', 9), job('c', 'Failed', 8)];
    expect(tracked(given, jobs, ['uid-e'])).toEqual({
      active: ['a', 'e'],
      success: '2026-01-01T00:00:09Z',
      events: [
        'SawCompletedJob: Saw completed job: b, condition: Complete',
        'SawCompletedJob: Saw completed job: c, condition: Failed',
        'MissingJob: Active job went missing: d',
      ],
    });
  });

  test('notes the last success of any Job, and never an earlier one', () => {
    const success = '2026-01-01T00:00:05Z';
    const jobs = [job('a', 'Complete', 3), job('b', 'Failed', 9)];
    expect(tracked(cronJob({ lastSuccessfulTime: success }), jobs)).toEqual({ active: [], success, events: [] });
  });

  test('is no more than it was for a Job that somebody else made', () => {
    expect(tracked(cronJob(), [job('by-hand')])).toEqual({
      active: [],
      events: ['UnexpectedJob: Saw a job that the controller did not create or forgot: by-hand'],
    });
  });

  test.each([undefined, '2026-01-01T00:59:00Z'])(
    'gets the Job of a later run than %s, which no sync has noted',
    (lastScheduleTime) => {
      const given = cronJob({ ...(lastScheduleTime !== undefined && { lastScheduleTime }) });
      const forgotten = jobFromTemplate(given, Date.parse('2026-01-01T01:00:00Z')) as unknown as Job;
      const { name } = forgotten.metadata;
      expect(tracked(given, [forgotten])).toEqual({ active: [name], last: '2026-01-01T01:00:00Z', events: [] });
    },
  );

  test('does not get the Job of a run that it knows', () => {
    const given = cronJob({ lastScheduleTime: '2026-01-01T01:00:00Z' });
    const known = jobFromTemplate(given, Date.parse('2026-01-01T01:00:00Z')) as unknown as Job;
    expect(tracked(given, [known]).active).toEqual([]);
  });
});

describe('of the ended Jobs', () => {
  const JOBS = [
    job('late', 'Complete', 30),
    job('early', 'Complete', 10),
    job('same-b', 'Complete', 20),
    job('same-a', 'Complete', 20),
    job('broken', 'Failed', 5),
    job('more-broken', 'Failed', 6),
    job('runs'),
    job('going', 'Complete', 1, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
  ];

  test.each([
    [4, 2, []],
    [3, 1, ['early', 'broken']],
    [1, 0, ['early', 'same-a', 'same-b', 'broken', 'more-broken']],
    [0, 5, ['early', 'same-a', 'same-b', 'late']],
    [undefined, undefined, []],
  ])('limits of %s and %s leave the last', (successfulJobsHistoryLimit, failedJobsHistoryLimit, deleted) => {
    const given = cronJob({}, { successfulJobsHistoryLimit, failedJobsHistoryLimit });
    expect(decideHistory(given, JOBS).map(({ metadata }) => metadata.name)).toEqual(deleted);
  });
});

describe('the Job of a run', () => {
  const RUN_MS = Date.parse('2026-07-01T12:30:00Z');

  test('always has the same name and UID', () => {
    const owner = { name: 'nightly', uid: 'cron-1' };
    const planned = plannedJob(owner, RUN_MS);
    expect(planned.name).toBe(`nightly-${RUN_MS / 60_000}`);
    expect(plannedJob(owner, RUN_MS + 59_000)).toEqual(planned);
    expect(plannedJob(owner, RUN_MS + 60_000).uid).not.toBe(planned.uid);
    expect(plannedJob({ ...owner, uid: 'cron-2' }, RUN_MS).uid).not.toBe(planned.uid);
  });

  test.each([
    [undefined, '2026-07-01T12:30:00Z'],
    ['Etc/UTC', '2026-07-01T12:30:00Z'],
    ['America/St_Johns', '2026-07-01T10:00:00-02:30'],
    ['Asia/Kathmandu', '2026-07-01T18:15:00+05:45'],
  ])('tells its time in the zone %s', (timeZone, expected) => {
    const { metadata } = jobFromTemplate(cronJob({}, { ...(timeZone !== undefined && { timeZone }) }), RUN_MS);
    expect(metadata.annotations).toEqual({ 'batch.kubernetes.io/cronjob-scheduled-timestamp': expected });
  });
});

describe('a change', () => {
  const change = (resource: string, before: object | undefined, after: object | undefined) =>
    ({
      type: 'MODIFIED',
      resource,
      version: 1,
      ...(before && { before }),
      ...(after && { after }),
    }) as unknown as Change;
  const other = { ...OWNER, name: 'weekly', uid: 'cron-2' };

  test.each<[string, Change, string[]]>([
    ['of a CronJob', change('cronjobs.batch', cronJob(), cronJob()), ['nightly']],
    ['of a Job that is new', change('jobs.batch', undefined, job('a')), ['nightly']],
    ['of a Job that is gone', change('jobs.batch', job('a'), undefined), ['nightly']],
    ['of a Job that has ended', change('jobs.batch', job('a'), job('a', 'Failed')), ['nightly']],
    ['of a Job that runs', change('jobs.batch', job('a'), job('a', undefined, 5)), []],
    [
      'of a Job that has another controller',
      change('jobs.batch', job('a'), job('a', undefined, 0, { ownerReferences: [other] })),
      ['nightly', 'weekly'],
    ],
    [
      'of a Job without a controller',
      change('jobs.batch', undefined, job('a', undefined, 0, { ownerReferences: [] })),
      [],
    ],
    ['of a pod', change('pods', undefined, job('a')), []],
  ])('%s', (_, given, names) => {
    expect(keysForChange(given).map(({ key }) => key.name)).toEqual(names);
  });
});
