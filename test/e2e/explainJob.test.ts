import { expect, test } from 'vitest';
import { JobBench } from '../support/JobBench.ts';
import { jobManifest } from '../support/jobFixtures.ts';

/** The lines of a section of the explanation, without what differs from run to run. */
async function explained(bench: JobBench, title: string): Promise<string[]> {
  const lines = (await bench.cluster.explain('job/pi')).split('\n');
  const start = lines.indexOf(title) + 1;
  const section = lines.slice(start, lines.indexOf('', start));
  return section.map((line) => line.trim().replace(/pi-\w{5}(?!\w)/g, '<Pod>'));
}

const TABLE: readonly [string, object, Record<string, string>, string, readonly string[], readonly string[]][] = [
  [
    'runs',
    { completions: 5, parallelism: 2, activeDeadlineSeconds: 600 },
    { 'complete-after': '1h' },
    '10s',
    ['it wants 2 active pods and has 2'],
    ['until 2 active pods end', 'activeDeadlineSeconds in 9 m 50 s'],
  ],
  [
    'waits after failures',
    {},
    { 'crash-after': '1s' },
    '20s',
    ['the next pod waits for 12000 ms more after 2 failures in a row'],
    ['for the back-off of failed pods: the next one in 12 s'],
  ],
  [
    'is suspended',
    { suspend: true },
    {},
    '5s',
    ['it is suspended, so its 0 active pods are deleted'],
    ['until it is resumed: spec.suspend is true'],
  ],
  [
    'has failed',
    { backoffLimit: 0 },
    { 'crash-after': '1s' },
    '20s',
    ['it has ended: Failed, BackoffLimitExceeded: Job has reached the specified backoff limit'],
    ['none'],
  ],
  [
    'is left to another controller',
    { managedBy: 'example.com/queue' },
    {},
    '5s',
    ['it is left to the controller example.com/queue, as its managedBy says'],
    ['for example.com/queue'],
  ],
];

test.each(TABLE)('a Job that %s says why', async (_, spec, simulated, after, why, waitsFor) => {
  const bench = await JobBench.start();
  await bench.cluster.apply(jobManifest(spec as Record<string, unknown>, simulated));
  await bench.cluster.advance(after);
  expect([await explained(bench, 'Decision now'), await explained(bench, 'Waits')]).toEqual([why, waitsFor]);
});

test('a Job with failing indexes names them, and how their pods failed', async () => {
  const bench = await JobBench.start();
  const spec = { completionMode: 'Indexed', completions: 4, parallelism: 4, backoffLimitPerIndex: 0 };
  await bench.cluster.apply(jobManifest(spec, { 'fail-indexes': '1', 'exit-code': '3' }));
  await bench.cluster.advance('10s');
  expect(await explained(bench, 'Job')).toEqual([
    '3 succeeded, 4 are wanted',
    '0 pods are active (0 ready), at most 4 at a time; 0 are terminating',
    '1 failed, more than 0 of one index may not',
    'succeeded indexes: 0,2,3',
    'failed indexes: 1',
  ]);
  expect(await explained(bench, 'Pods that are not ready')).toEqual([
    expect.stringMatching(/^Failed: pod pi-1-\w{5} of pi: container main ended with exit code 3$/),
  ]);
});
