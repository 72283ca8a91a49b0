import { beforeEach, describe, expect, test } from 'vitest';
import { JobBench } from '../support/JobBench.ts';
import { jobManifest } from '../support/jobFixtures.ts';

let bench: JobBench;
beforeEach(async () => {
  bench = await JobBench.start();
});

const TEN_SECONDS = { 'complete-after': '10s' };
const COMPLETE = ['SuccessCriteriaMet=True CompletionsReached', 'Complete=True CompletionsReached'];

describe('a Job', () => {
  test('runs a pod to its end and is complete', async () => {
    await bench.cluster.apply(jobManifest());
    await bench.cluster.advance('10s');
    const at = '2026-01-01T00:00:02Z';
    expect(await bench.status()).toEqual({
      startTime: '2026-01-01T00:00:00Z',
      completionTime: at,
      succeeded: 1,
      ready: 0,
      terminating: 0,
      uncountedTerminatedPods: {},
      conditions: ['SuccessCriteriaMet', 'Complete'].map((type) => ({
        type,
        status: 'True',
        lastProbeTime: at,
        lastTransitionTime: at,
        reason: 'CompletionsReached',
        message: 'Reached expected number of succeeded pods',
      })),
    });
    expect(await bench.events()).toEqual(['Normal Completed Job completed']);
  });

  test('names and owns its pods, and no longer holds them when they are counted', async () => {
    await bench.cluster.apply(jobManifest({}, TEN_SECONDS));
    await bench.cluster.settle();
    const { uid } = (await bench.job()).metadata;
    const [running] = await bench.pods();
    expect(running?.metadata).toMatchObject({
      name: expect.stringMatching(/^pi-[bcdfghjklmnpqrstvwxz2456789]{5}$/),
      generateName: 'pi-',
      finalizers: ['batch.kubernetes.io/job-tracking'],
      labels: { 'batch.kubernetes.io/controller-uid': uid, 'batch.kubernetes.io/job-name': 'pi' },
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'pi', uid, controller: true }],
    });
    await bench.cluster.advance('1m');
    expect((await bench.pods()).map(({ metadata }) => metadata.finalizers)).toEqual([undefined]);
  });

  test('never runs more pods than its parallelism, nor more than are left to do', async () => {
    await bench.cluster.apply(jobManifest({ completions: 5, parallelism: 2 }, TEN_SECONDS));
    const seen: number[] = [];
    for (let round = 0; round < 6; round++) {
      await bench.cluster.advance('6s');
      seen.push((await bench.status()).active ?? 0);
    }
    expect(seen).toEqual([2, 2, 2, 1, 1, 0]);
    expect(await bench.status()).toMatchObject({ succeeded: 5 });
    expect(await bench.conditions()).toEqual(COMPLETE);
    expect(await bench.lives()).toHaveLength(5);
  });

  test('without completions is complete when one pod has succeeded and all have ended', async () => {
    await bench.cluster.apply(jobManifest({ parallelism: 3 }, TEN_SECONDS));
    await bench.cluster.advance('30s');
    expect(await bench.status()).toMatchObject({ succeeded: 3 });
    expect(await bench.conditions()).toEqual(COMPLETE);
    expect(await bench.lives()).toEqual(Array(3).fill('0s Succeeded'));
  });

  test('counts its ready pods, and follows a change of its parallelism', async () => {
    await bench.cluster.apply(jobManifest({ completions: 9, parallelism: 4 }, { 'complete-after': '1h' }));
    await bench.cluster.advance('5s');
    expect(await bench.status()).toMatchObject({ active: 4, ready: 4, terminating: 0 });
    await bench.cluster.patch('job/pi', { spec: { parallelism: 1 } });
    await bench.cluster.advance('5s');
    expect(await bench.status()).toMatchObject({ active: 1, ready: 1, terminating: 0 });
    expect((await bench.status()).failed).toBeUndefined();
    expect(await bench.lives()).toEqual(['0s Running']);
  });

  test('with no completions wanted is complete at once', async () => {
    await bench.cluster.apply(jobManifest({ completions: 0 }));
    await bench.cluster.advance('5s');
    expect(await bench.conditions()).toEqual(COMPLETE);
    expect(await bench.lives()).toEqual([]);
  });

  test('of another controller is left alone', async () => {
    await bench.cluster.apply(jobManifest({ managedBy: 'example.com/queue' }));
    await bench.cluster.advance('1m');
    expect([await bench.lives(), await bench.status()]).toEqual([[], {}]);
  });

  test('adopts the orphans that its own selector matches, and counts them', async () => {
    const labels = { app: 'pi' };
    await bench.cluster.apply({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'stray', labels, annotations: { 'simulate.driftless.dev/complete-after': '10s' } },
      spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'perl' }] },
    });
    const { spec, ...rest } = jobManifest({ manualSelector: true, selector: { matchLabels: labels } });
    const template = { ...spec.template, metadata: { labels } };
    await bench.cluster.apply({ ...rest, spec: { ...spec, template } });
    await bench.cluster.advance('5s');
    const [stray] = await bench.pods();
    expect(stray?.metadata).toMatchObject({ name: 'stray', finalizers: ['batch.kubernetes.io/job-tracking'] });
    await bench.cluster.advance('10s');
    expect(await bench.conditions()).toEqual(COMPLETE);
    expect(await bench.lives()).toEqual(['0s Succeeded']);
  });
});

describe('a suspended Job', () => {
  const SUSPENDED = 'Suspended=True JobSuspended';
  const RESUMED = 'Suspended=False JobResumed';

  test('starts when it is resumed', async () => {
    await bench.cluster.apply(jobManifest({ suspend: true }));
    await bench.cluster.advance('1m');
    expect(await bench.status()).toEqual({
      ready: 0,
      terminating: 0,
      uncountedTerminatedPods: {},
      conditions: [expect.objectContaining({ type: 'Suspended', status: 'True', message: 'Job suspended' })],
    });
    await bench.cluster.patch('job/pi', { spec: { suspend: false } });
    await bench.cluster.advance('10s');
    expect(await bench.status()).toMatchObject({ startTime: '2026-01-01T00:01:00Z', succeeded: 1 });
    expect(await bench.conditions()).toEqual([RESUMED, ...COMPLETE]);
    expect(await bench.events()).toEqual([
      'Normal Suspended Job suspended',
      'Normal Resumed Job resumed',
      'Normal Completed Job completed',
    ]);
  });

  test('loses its pods, which do not count as failed, and gets others at once when it is resumed', async () => {
    await bench.cluster.apply(jobManifest({ parallelism: 2, completions: 2, backoffLimit: 0 }, TEN_SECONDS));
    await bench.cluster.advance('5s');
    await bench.cluster.patch('job/pi', { spec: { suspend: true } });
    await bench.cluster.advance('5s');
    expect(await bench.status()).toMatchObject({ ready: 0, terminating: 0 });
    expect((await bench.status()).active).toBeUndefined();
    expect([await bench.conditions(), await bench.lives()]).toEqual([[SUSPENDED], []]);
    await bench.cluster.patch('job/pi', { spec: { suspend: false } });
    await bench.cluster.advance('30s');
    expect(await bench.conditions()).toEqual([RESUMED, ...COMPLETE]);
    expect((await bench.status()).failed).toBeUndefined();
    expect(await bench.lives()).toEqual(Array(2).fill('10s Succeeded'));
  });

  test('does not use up its deadline', async () => {
    await bench.cluster.apply(jobManifest({ activeDeadlineSeconds: 20 }, TEN_SECONDS));
    await bench.cluster.advance('5s');
    await bench.cluster.patch('job/pi', { spec: { suspend: true } });
    await bench.cluster.advance('1h');
    await bench.cluster.patch('job/pi', { spec: { suspend: false } });
    await bench.cluster.advance('30s');
    expect(await bench.conditions()).toEqual([RESUMED, ...COMPLETE]);
  });
});

describe('the end of a Job', () => {
  test('is followed by its deletion after its time to live', async () => {
    await bench.cluster.apply(jobManifest({ ttlSecondsAfterFinished: 60 }));
    await bench.cluster.advance('61s');
    expect(await bench.conditions()).toEqual(COMPLETE);
    await bench.cluster.advance('3s');
    expect([await bench.cluster.list('jobs'), await bench.lives()]).toEqual([[], []]);
  });

  test.each(['Background', 'Foreground'] as const)('by deletion in the %s takes its pods along', async (policy) => {
    await bench.cluster.apply(jobManifest({ parallelism: 2, completions: 4 }, TEN_SECONDS));
    await bench.cluster.advance('15s');
    await bench.cluster.delete('job/pi', { propagationPolicy: policy });
    await bench.cluster.advance('5s');
    expect([await bench.cluster.list('jobs'), await bench.lives()]).toEqual([[], []]);
  });

  test('by deletion that orphans its pods leaves them without finalizer', async () => {
    await bench.cluster.apply(jobManifest({}, TEN_SECONDS));
    await bench.cluster.advance('5s');
    await bench.cluster.delete('job/pi', { propagationPolicy: 'Orphan' });
    await bench.cluster.advance('5s');
    const metadata = (await bench.pods()).map((pod) => pod.metadata);
    expect(metadata.map(({ finalizers, ownerReferences }) => [finalizers, ownerReferences])).toEqual([
      [undefined, undefined],
    ]);
  });
});
