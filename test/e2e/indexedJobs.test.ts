import { beforeEach, describe, expect, test } from 'vitest';
import { JobBench } from '../support/JobBench.ts';
import { jobManifest } from '../support/jobFixtures.ts';

let bench: JobBench;
beforeEach(async () => {
  bench = await JobBench.start();
});

const COMPLETE = ['SuccessCriteriaMet=True CompletionsReached', 'Complete=True CompletionsReached'];
const indexed = (completions: number, spec: object = {}) => ({
  completionMode: 'Indexed',
  completions,
  parallelism: completions,
  ...spec,
});

describe('a Job with indexes', () => {
  test('gives each pod its index: in name, host name, label, annotation and environment', async () => {
    await bench.cluster.apply(jobManifest(indexed(2), { 'complete-after': '10s' }));
    await bench.cluster.advance('5s');
    const [, second] = await bench.pods();
    expect(second?.metadata).toMatchObject({
      name: expect.stringMatching(/^pi-1-.{5}$/),
      generateName: 'pi-1-',
      labels: { 'batch.kubernetes.io/job-completion-index': '1' },
      annotations: { 'batch.kubernetes.io/job-completion-index': '1' },
    });
    expect(second?.spec).toMatchObject({
      hostname: 'pi-1',
      containers: [
        {
          env: [
            {
              name: 'JOB_COMPLETION_INDEX',
              valueFrom: { fieldRef: { fieldPath: "metadata.labels['batch.kubernetes.io/job-completion-index']" } },
            },
          ],
        },
      ],
    });
  });

  test('names the indexes that have succeeded', async () => {
    await bench.cluster.apply(jobManifest(indexed(6), { 'fail-indexes': '1', 'crash-after': '1h' }));
    await bench.cluster.advance('5s');
    expect(await bench.status()).toMatchObject({ completedIndexes: '0,2-5', succeeded: 5, active: 1 });
  });

  test('replaces a pod that failed under the same index', async () => {
    await bench.cluster.apply(
      jobManifest(indexed(3), { 'fail-indexes': '1', 'fail-attempts': '1', 'crash-after': '5s' }),
    );
    await bench.cluster.advance('1m');
    expect(await bench.lives()).toEqual(['0s 0 Succeeded', '0s 1 Failed', '0s 2 Succeeded', '15s 1 Succeeded']);
    expect(await bench.status()).toMatchObject({ completedIndexes: '0-2', succeeded: 3, failed: 1 });
    expect(await bench.conditions()).toEqual(COMPLETE);
  });

  test('can shrink with its parallelism', async () => {
    await bench.cluster.apply(jobManifest(indexed(4), { 'complete-after': '20s' }));
    await bench.cluster.advance('5s');
    await bench.cluster.patch('job/pi', { spec: { completions: 2, parallelism: 2 } });
    await bench.cluster.advance('5s');
    expect(await bench.lives()).toEqual(['0s 0 Running', '0s 1 Running']);
    await bench.cluster.advance('30s');
    expect(await bench.status()).toMatchObject({ completedIndexes: '0,1', succeeded: 2 });
    expect(await bench.conditions()).toEqual(COMPLETE);
  });
});

describe('a limit of failures for each index', () => {
  test('gives up an index, lets the others end, and then fails the Job', async () => {
    await bench.cluster.apply(jobManifest(indexed(4, { backoffLimitPerIndex: 1 }), { 'fail-indexes': '1,3' }));
    await bench.cluster.advance('5m');
    expect(await bench.lives()).toEqual([
      '0s 0 Succeeded',
      '0s 1 Failed',
      '0s 2 Succeeded',
      '0s 3 Failed',
      '11s 1 Failed',
      '11s 3 Failed',
    ]);
    expect(await bench.status()).toMatchObject({
      completedIndexes: '0,2',
      failedIndexes: '1,3',
      succeeded: 2,
      failed: 4,
    });
    expect(await bench.conditions()).toEqual(['FailureTarget=True FailedIndexes', 'Failed=True FailedIndexes']);
    expect(await bench.events()).toEqual(['Warning FailedIndexes Job has failed indexes']);
  });

  test('counts the failures of an index on its pods', async () => {
    const attempts = { 'fail-indexes': '0', 'fail-attempts': '2' };
    await bench.cluster.apply(jobManifest(indexed(1, { backoffLimitPerIndex: 3 }), attempts));
    await bench.cluster.advance('5m');
    expect(await bench.lives()).toEqual(['0s 0 Failed', '11s 0 Failed', '32s 0 Succeeded']);
    const counts = (await bench.pods()).map(
      ({ metadata }) => metadata.annotations?.['batch.kubernetes.io/job-index-failure-count'],
    );
    expect(counts).toEqual(['0', '1', '2']);
    expect(await bench.status()).toMatchObject({ failed: 2, succeeded: 1, failedIndexes: '' });
  });

  test('ends the Job when more indexes fail than may', async () => {
    const spec = indexed(5, { backoffLimitPerIndex: 0, maxFailedIndexes: 1 });
    await bench.cluster.apply(
      jobManifest(spec, { 'fail-indexes': '0,1', 'complete-after': '1h', 'crash-after': '5s' }),
    );
    await bench.cluster.advance('10s');
    expect(await bench.conditions()).toEqual([
      'FailureTarget=True MaxFailedIndexesExceeded',
      'Failed=True MaxFailedIndexesExceeded',
    ]);
    expect(await bench.status()).toMatchObject({ failedIndexes: '0,1', failed: 5 });
    expect(await bench.lives()).toEqual(['0s 0 Failed', '0s 1 Failed']);
  });

  test('is not used up where the failure policy gives up the index at once', async () => {
    const rule = { action: 'FailIndex', onExitCodes: { operator: 'In', values: [42] } };
    const spec = indexed(2, { backoffLimitPerIndex: 5, podFailurePolicy: { rules: [rule] } });
    await bench.cluster.apply(jobManifest(spec, { 'fail-indexes': '1', 'exit-code': '42' }));
    await bench.cluster.advance('10s');
    expect(await bench.lives()).toEqual(['0s 0 Succeeded', '0s 1 Failed']);
    expect(await bench.status()).toMatchObject({ failedIndexes: '1', failed: 1 });
    expect(await bench.conditions()).toContain('Failed=True FailedIndexes');
  });
});

describe('a success policy', () => {
  test('completes the Job when its indexes have succeeded, and deletes the other pods', async () => {
    const successPolicy = { rules: [{ succeededIndexes: '0,2-4', succeededCount: 2 }] };
    const slow = { 'fail-indexes': '0,1,4', 'crash-after': '1h' };
    await bench.cluster.apply(jobManifest(indexed(5, { successPolicy }), slow));
    await bench.cluster.advance('10s');
    expect(await bench.conditions()).toEqual(['SuccessCriteriaMet=True SuccessPolicy', 'Complete=True SuccessPolicy']);
    expect(await bench.status()).toMatchObject({ completedIndexes: '2,3', succeeded: 2 });
    expect((await bench.status()).failed).toBeUndefined();
    expect((await bench.status()).conditions?.[0]?.message).toBe('Matched rules at index 0');
    expect(await bench.lives()).toEqual(['0s 2 Succeeded', '0s 3 Succeeded']);
  });
});
