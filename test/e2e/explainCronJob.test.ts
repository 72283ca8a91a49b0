import { expect, test } from 'vitest';
import { CronJobBench } from '../support/CronJobBench.ts';
import { cronJobManifest } from '../support/cronJobFixtures.ts';

/** The lines of a section of the explanation, with the names of Jobs left out. */
async function explained(bench: CronJobBench, title: string): Promise<string[]> {
  const lines = (await bench.cluster.explain('cronjob/nightly')).split('\n');
  const start = lines.indexOf(title) + 1;
  const section = lines.slice(start, lines.indexOf('', start));
  return section.map((line) => line.trim().replace(/nightly-\d+/g, '<Job>'));
}

const LONG = { 'complete-after': '1h' };
const inHalfAMinute = (time: string) => `until its next run at 2026-01-01T${time}Z, in 30 s`;

const TABLE: readonly [string, object, Record<string, string>, string, readonly string[], readonly string[]][] = [
  ['waits for its time', {}, {}, '30s', ['no run is due'], [inHalfAMinute('00:01:00')]],
  [
    'is suspended',
    { suspend: true },
    {},
    '90s',
    ['it is suspended, so it starts no run'],
    ['until it is resumed: spec.suspend is true'],
  ],
  [
    'may not run beside itself',
    { concurrencyPolicy: 'Forbid' },
    LONG,
    '150s',
    [
      'the run of 2026-01-01T00:02:00Z is not started: the concurrency policy is Forbid, and these jobs are active: <Job>',
    ],
    ['until these jobs have ended: <Job>', inHalfAMinute('00:03:00')],
  ],
  [
    'missed its deadline',
    { concurrencyPolicy: 'Forbid', startingDeadlineSeconds: 20 },
    LONG,
    '150s',
    ['the run of 2026-01-01T00:02:00Z is not started, because its startingDeadlineSeconds of 20 are over'],
    [inHalfAMinute('00:03:00')],
  ],
  [
    'has a schedule without a time',
    { schedule: '0 0 31 2 *' },
    {},
    '30s',
    ['it starts no run, because its schedule is invalid: time difference between two schedules is less than 1 second'],
    ['until spec.schedule is changed'],
  ],
];

test.each(TABLE)('a CronJob that %s says why', async (_, spec, simulated, after, why, waitsFor) => {
  const bench = await CronJobBench.start();
  await bench.cluster.apply(cronJobManifest(spec as Record<string, unknown>, simulated));
  await bench.cluster.advance(after);
  expect([await explained(bench, 'Decision now'), await explained(bench, 'Waits')]).toEqual([why, waitsFor]);
});

test('a CronJob names its schedule, its last run, its last success and the Jobs that run', async () => {
  const bench = await CronJobBench.start();
  await bench.cluster.apply(cronJobManifest({ timeZone: 'Europe/Berlin' }, { 'complete-after': '50s' }));
  await bench.cluster.advance('150s');
  expect(await explained(bench, 'CronJob')).toEqual([
    'its schedule is * * * * *, in the time zone Europe/Berlin; its concurrency policy is Allow',
    'its last run was that of 2026-01-01T00:02:00Z',
    expect.stringMatching(/^the last job that succeeded ended at 2026-01-01T00:01:5\dZ$/),
    'active jobs: <Job>',
  ]);
});

test('a pod of its Jobs that fails is named', async () => {
  const bench = await CronJobBench.start();
  await bench.cluster.apply(cronJobManifest({ schedule: '@hourly' }, { 'crash-after': '1s', 'exit-code': '3' }));
  await bench.cluster.advance('60m5s');
  expect(await explained(bench, 'Pods that are not ready')).toEqual([
    expect.stringMatching(/^Failed: pod <Job>-\w{5} of <Job>: container main ended with exit code 3$/),
  ]);
});
