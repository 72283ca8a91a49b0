import { beforeEach, describe, expect, test } from 'vitest';
import { CronJobBench } from '../support/CronJobBench.ts';
import { cronJobManifest } from '../support/cronJobFixtures.ts';

let bench: CronJobBench;
beforeEach(async () => {
  bench = await CronJobBench.start();
});

const LONG = { 'complete-after': '150s' };
/** The minutes since the epoch at the start. */
const START_MINUTES = Date.parse('2026-01-01T00:00:00Z') / 60_000;
const jobAt = (minutes: number) => `nightly-${START_MINUTES + minutes}`;

describe('a CronJob', () => {
  test('creates a Job for each time of its schedule, and sees it complete', async () => {
    await bench.cluster.apply(cronJobManifest({ schedule: '*/5 * * * *' }));
    await bench.cluster.advance('11m');
    expect(await bench.runs()).toEqual(['00:05 Complete', '00:10 Complete']);
    expect(await bench.status()).toBe('last 00:10');
    expect((await bench.cronJob()).status?.lastSuccessfulTime).toMatch(/^2026-01-01T00:10:0\dZ$/);
    expect(await bench.events()).toEqual([
      `Normal SuccessfulCreate Created job ${jobAt(5)}`,
      `Normal SawCompletedJob Saw completed job: ${jobAt(5)}, condition: Complete`,
      `Normal SuccessfulCreate Created job ${jobAt(10)}`,
      `Normal SawCompletedJob Saw completed job: ${jobAt(10)}, condition: Complete`,
    ]);
  });

  test('owns its Jobs and gives them the labels and annotations of its template', async () => {
    const { spec, ...rest } = cronJobManifest({ timeZone: 'Asia/Kolkata' });
    const metadata = { labels: { team: 'a' }, annotations: { note: 'b' } };
    await bench.cluster.apply({ ...rest, spec: { ...spec, jobTemplate: { ...spec.jobTemplate, metadata } } });
    await bench.cluster.advance('70s');
    const { uid } = (await bench.cronJob()).metadata;
    const [job] = await bench.jobs();
    expect(job?.metadata).toMatchObject({
      name: jobAt(1),
      labels: { team: 'a' },
      annotations: { note: 'b', 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-01T05:31:00+05:30' },
      ownerReferences: [
        { apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid, controller: true, blockOwnerDeletion: true },
      ],
    });
  });

  test('runs at the local time of its time zone, days ahead', async () => {
    await bench.cluster.apply(cronJobManifest({ schedule: '30 9 * * MON-FRI', timeZone: 'America/New_York' }));
    await bench.cluster.advance('96h');
    // 1 January 2026 is a Thursday. The history keeps three.
    expect(await bench.runs()).toEqual(['14:30 Complete', '14:30 Complete']);
  });

  test('lists the Jobs that run', async () => {
    await bench.cluster.apply(cronJobManifest({}, LONG));
    await bench.cluster.advance('130s');
    const [first, second] = (await bench.cronJob()).status?.active ?? [];
    expect([first?.name, second?.name]).toEqual([jobAt(1), jobAt(2)]);
    const jobs = await bench.jobs();
    expect(first).toMatchObject({
      apiVersion: 'batch/v1',
      kind: 'Job',
      namespace: 'default',
      uid: jobs[0]?.metadata.uid,
      resourceVersion: expect.stringMatching(/^\d+$/),
    });
  });

  test('starts no run while it is suspended, and the last missed one when it is resumed', async () => {
    await bench.cluster.apply(cronJobManifest({ suspend: true }));
    await bench.cluster.advance('10m30s');
    expect([await bench.runs(), await bench.status()]).toEqual([[], 'last never']);
    await bench.cluster.patch('cronjob/nightly', { spec: { suspend: false } });
    await bench.cluster.advance('5s');
    expect([await bench.runs(), await bench.status()]).toEqual([['00:10 Complete'], 'last 00:10']);
  });

  test('says that it missed more than 100 runs, and starts the last one', async () => {
    await bench.cluster.apply(cronJobManifest({ suspend: true }));
    await bench.cluster.advance('102m');
    await bench.cluster.patch('cronjob/nightly', { spec: { suspend: false } });
    await bench.cluster.advance('5s');
    expect(await bench.runs()).toEqual(['01:42 Complete']);
    expect(await bench.events()).toContain(
      'Warning TooManyMissedTimes too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
    );
  });

  test('does not start a run whose deadline is over', async () => {
    await bench.cluster.apply(cronJobManifest({ schedule: '@hourly', suspend: true, startingDeadlineSeconds: 60 }));
    await bench.cluster.advance('62m');
    await bench.cluster.patch('cronjob/nightly', { spec: { suspend: false } });
    await bench.cluster.advance('5s');
    expect([await bench.runs(), await bench.status()]).toEqual([[], 'last never']);
    await bench.cluster.advance('1h');
    expect(await bench.runs()).toEqual(['02:00 Complete']);
  });

  test('makes up for no run of a schedule that it has just got', async () => {
    await bench.cluster.apply(cronJobManifest({ schedule: '0 0 1 1 *' }));
    await bench.cluster.advance('15h');
    await bench.cluster.patch('cronjob/nightly', { spec: { schedule: '0 12 * * *' } });
    await bench.cluster.advance('1h');
    expect(await bench.runs()).toEqual([]);
    await bench.cluster.advance('21h');
    expect(await bench.runs()).toEqual(['12:00 Complete']);
  });

  test('keeps as many ended Jobs as its limits say', async () => {
    await bench.cluster.apply(cronJobManifest({ successfulJobsHistoryLimit: 2 }));
    await bench.cluster.advance('5m30s');
    expect(await bench.runs()).toEqual(['00:04 Complete', '00:05 Complete']);
    expect(await bench.events()).toContain(`Normal SuccessfulDelete Deleted job ${jobAt(3)}`);
    await bench.cluster.patch('cronjob/nightly', { spec: { successfulJobsHistoryLimit: 0, suspend: true } });
    await bench.cluster.advance('5s');
    expect([await bench.runs(), await bench.cluster.list('pods')]).toEqual([[], []]);
  });

  test('does not start a run again whose Job is gone', async () => {
    await bench.cluster.apply(cronJobManifest({ schedule: '@hourly', successfulJobsHistoryLimit: 0 }));
    await bench.cluster.advance('61m');
    await bench.cluster.patch('cronjob/nightly', { status: {}, metadata: { labels: { seen: 'a' } } });
    await bench.cluster.advance('5m');
    expect([await bench.runs(), await bench.status()]).toEqual([[], 'last 01:00']);
    expect((await bench.events()).filter((event) => event.includes('SuccessfulCreate'))).toHaveLength(1);
  });

  test('by its deletion takes its Jobs and their pods along', async () => {
    await bench.cluster.apply(cronJobManifest({}, LONG));
    await bench.cluster.advance('130s');
    await bench.cluster.delete('cronjob/nightly');
    await bench.cluster.advance('2m');
    expect([await bench.runs(), await bench.cluster.list('pods')]).toEqual([[], []]);
  });
});

describe('while a Job of it runs, the policy', () => {
  test('Allow lets the next one start beside it', async () => {
    await bench.cluster.apply(cronJobManifest({}, LONG));
    await bench.cluster.advance('190s');
    expect(await bench.status()).toBe('last 00:03, active 00:01, 00:02, 00:03');
  });

  test('Forbid lets the next one wait until it has ended', async () => {
    await bench.cluster.apply(cronJobManifest({ concurrencyPolicy: 'Forbid' }, LONG));
    await bench.cluster.advance('130s');
    expect(await bench.status()).toBe('last 00:01, active 00:01');
    expect(await bench.events()).toEqual([
      `Normal SuccessfulCreate Created job ${jobAt(1)}`,
      'Normal JobAlreadyActive Not starting job because prior execution is running and concurrency policy is Forbid',
    ]);
    await bench.cluster.advance('90s');
    // The first ended after 3:30, and the last time that had passed was 3:00.
    expect(await bench.status()).toBe('last 00:03, active 00:03');
  });

  test('Replace deletes it', async () => {
    await bench.cluster.apply(cronJobManifest({ concurrencyPolicy: 'Replace' }, LONG));
    await bench.cluster.advance('130s');
    expect([await bench.runs(), await bench.status()]).toEqual([['00:02 Running'], 'last 00:02, active 00:02']);
    expect(await bench.events()).toEqual([
      `Normal SuccessfulCreate Created job ${jobAt(1)}`,
      `Normal SuccessfulDelete Deleted job ${jobAt(1)}`,
      `Normal SuccessfulCreate Created job ${jobAt(2)}`,
    ]);
  });
});

describe('events say that a CronJob', () => {
  test('has an active Job that is gone', async () => {
    await bench.cluster.apply(cronJobManifest({ schedule: '@hourly' }, { 'complete-after': '1h' }));
    await bench.cluster.advance('61m');
    await bench.cluster.delete(`job/${jobAt(60)}`);
    await bench.cluster.advance('5s');
    expect(await bench.status()).toBe('last 01:00');
    expect(await bench.events()).toContain(`Normal MissingJob Active job went missing: ${jobAt(60)}`);
  });

  test('has a Job that somebody else made', async () => {
    await bench.cluster.apply(cronJobManifest({ schedule: '@yearly' }));
    await bench.cluster.settle();
    const { spec, metadata } = await bench.cronJob();
    const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid: metadata.uid, controller: true };
    await bench.cluster.apply({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'by-hand', namespace: 'default', ownerReferences: [owner] },
      spec: spec?.jobTemplate.spec,
    });
    await bench.cluster.advance('10s');
    expect(await bench.status()).toBe('last never');
    expect((await bench.cronJob()).status?.lastSuccessfulTime).toBeDefined();
    // Each sync sees it again until it has ended.
    expect(await bench.events()).toEqual([
      expect.stringMatching(
        /^Warning UnexpectedJob Saw a job that the controller did not create or forgot: by-hand( \(\d\))?$/,
      ),
    ]);
  });

  test('has a schedule without a time', async () => {
    await bench.cluster.apply(cronJobManifest({ schedule: '59 23 31 2 *' }));
    await bench.cluster.advance('5s');
    expect(await bench.events()).toEqual([
      'Warning InvalidSchedule invalid schedule: 59 23 31 2 * : time difference between two schedules is less than 1 second',
    ]);
  });

  test('may not create its Job, which it tries again', async () => {
    const hard = { 'count/jobs.batch': '0' };
    await bench.cluster.apply({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'none', namespace: 'default' },
      spec: { hard },
    });
    await bench.cluster.apply(cronJobManifest({ schedule: '@hourly' }));
    await bench.cluster.advance('61m');
    const [event] = await bench.events();
    expect(event).toMatch(
      /^Warning FailedCreate Error creating job: jobs.batch "nightly-\d+" is forbidden: exceeded quota: none/,
    );
    await bench.cluster.delete('resourcequota/none');
    await bench.cluster.advance('17m');
    expect(await bench.runs()).toEqual(['01:00 Complete']);
  });
});
