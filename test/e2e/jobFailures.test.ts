import { beforeEach, describe, expect, test } from 'vitest';
import { JobBench } from '../support/JobBench.ts';
import { jobManifest } from '../support/jobFixtures.ts';

let bench: JobBench;
beforeEach(async () => {
  bench = await JobBench.start();
});

const FAILS = { 'crash-after': '1s' };
const failed = (reason: string) => [`FailureTarget=True ${reason}`, `Failed=True ${reason}`];

describe('a Job whose pods fail', () => {
  test('replaces them after 10 s, then 20 s, then 40 s', async () => {
    await bench.cluster.apply(jobManifest({}, { 'fail-attempts': '3' }));
    await bench.cluster.advance('5m');
    expect(await bench.lives()).toEqual(['0s Failed', '11s Failed', '32s Failed', '73s Succeeded']);
    expect(await bench.status()).toMatchObject({ failed: 3, succeeded: 1 });
  });

  test('waits ten minutes at most', async () => {
    await bench.cluster.apply(jobManifest({ backoffLimit: 9 }, FAILS));
    await bench.cluster.advance('2h');
    const waits = (await bench.lives()).map((life) => Number(life.split('s ')[0]));
    expect(waits.slice(1).map((at, nth) => at - (waits[nth] ?? 0) - 1)).toEqual([
      10, 20, 40, 80, 160, 320, 600, 600, 600,
    ]);
  });

  test('fails when there are more failures than its limit', async () => {
    await bench.cluster.apply(jobManifest({ backoffLimit: 2 }, FAILS));
    await bench.cluster.advance('5m');
    expect(await bench.lives()).toEqual(['0s Failed', '11s Failed', '32s Failed']);
    expect(await bench.status()).toMatchObject({ failed: 3, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
    expect((await bench.status()).completionTime).toBeUndefined();
    expect(await bench.conditions()).toEqual(failed('BackoffLimitExceeded'));
    expect(await bench.events()).toEqual(['Warning BackoffLimitExceeded Job has reached the specified backoff limit']);
  });

  test('deletes the others when it fails, and counts them as failed', async () => {
    const spec = { completions: 3, parallelism: 3, backoffLimit: 0, completionMode: 'Indexed' };
    await bench.cluster.apply(jobManifest(spec, { 'fail-indexes': '1', 'complete-after': '20s', 'crash-after': '5s' }));
    await bench.cluster.advance('10s');
    expect(await bench.conditions()).toEqual(failed('BackoffLimitExceeded'));
    expect(await bench.status()).toMatchObject({ failed: 3 });
    expect(await bench.lives()).toEqual(['0s 1 Failed']);
  });

  test('with restart policy OnFailure counts the restarts of containers', async () => {
    await bench.cluster.apply(jobManifest({ backoffLimit: 2, restartPolicy: 'OnFailure' }, FAILS));
    await bench.cluster.advance('5m');
    expect(await bench.conditions()).toEqual(failed('BackoffLimitExceeded'));
    expect(await bench.lives()).toEqual([]);
    expect(await bench.status()).toMatchObject({ failed: 1 });
  });

  test('with restart policy OnFailure is complete when a restart succeeds', async () => {
    await bench.cluster.apply(jobManifest({ restartPolicy: 'OnFailure' }, { 'fail-attempts': '2' }));
    await bench.cluster.advance('1m');
    expect(await bench.status()).toMatchObject({ succeeded: 1 });
    expect(await bench.lives()).toEqual(['0s Succeeded']);
  });

  test('fails after its deadline', async () => {
    await bench.cluster.apply(jobManifest({ activeDeadlineSeconds: 30 }, { 'complete-after': '1h' }));
    await bench.cluster.advance('29s');
    expect(await bench.lives()).toEqual(['0s Running']);
    await bench.cluster.advance('3s');
    expect(await bench.conditions()).toEqual(failed('DeadlineExceeded'));
    expect(await bench.events()).toEqual(['Warning DeadlineExceeded Job was active longer than specified deadline']);
    expect(await bench.lives()).toEqual([]);
  });
});

describe('a pod that is deleted', () => {
  const SLOW = { 'complete-after': '60s' };

  test('has failed, and is replaced after its back-off although it is gone', async () => {
    await bench.cluster.apply(jobManifest({}, SLOW));
    await bench.cluster.advance('5s');
    const [pod] = await bench.pods();
    await bench.cluster.delete(`pod/${pod?.metadata.name}`);
    await bench.cluster.advance('5s');
    expect([await bench.lives(), (await bench.status()).failed]).toEqual([[], 1]);
    await bench.cluster.advance('90s');
    expect(await bench.lives()).toEqual(['15s Succeeded']);
    expect(await bench.status()).toMatchObject({ failed: 1, succeeded: 1 });
  });

  test('is replaced while it terminates, unless the Job replaces failed pods only', async () => {
    const slow = { ...SLOW, 'termination-delay': '25s' };
    await bench.cluster.apply(jobManifest({ podReplacementPolicy: 'TerminatingOrFailed' }, slow));
    await bench.cluster.advance('5s');
    const [pod] = await bench.pods();
    await bench.cluster.delete(`pod/${pod?.metadata.name}`);
    await bench.cluster.advance('12s');
    expect(await bench.lives()).toEqual(['0s Terminating', '15s Running']);
    expect(await bench.status()).toMatchObject({ active: 1, terminating: 1, failed: 1 });
  });

  test('is replaced when it has ended if the Job replaces failed pods only', async () => {
    const slow = { ...SLOW, 'termination-delay': '25s' };
    await bench.cluster.apply(jobManifest({ podReplacementPolicy: 'Failed' }, slow));
    await bench.cluster.advance('5s');
    const [pod] = await bench.pods();
    await bench.cluster.delete(`pod/${pod?.metadata.name}`);
    await bench.cluster.advance('20s');
    expect(await bench.lives()).toEqual(['0s Terminating']);
    expect(await bench.status()).toMatchObject({ terminating: 1 });
    expect((await bench.status()).failed).toBeUndefined();
    await bench.cluster.advance('30s');
    expect(await bench.lives()).toEqual(['40s Running']);
    expect(await bench.status()).toMatchObject({ active: 1, terminating: 0, failed: 1 });
  });

  test('that never ran has failed since it was not ready, and is replaced if the Job replaces failed pods only', async () => {
    await bench.cluster.apply(jobManifest({ podReplacementPolicy: 'Failed' }, { 'fail-pull': 'true' }));
    await bench.cluster.advance('5s');
    const [pod] = await bench.pods();
    await bench.cluster.delete(`pod/${pod?.metadata.name}`);
    await bench.cluster.advance('30s');
    expect(await bench.lives()).toEqual(['10s Pending']);
    expect(await bench.status()).toMatchObject({ failed: 1 });
  });
});

describe('a pod failure policy', () => {
  const onExit = (action: string, ...values: number[]) => ({
    action,
    onExitCodes: { containerName: 'main', operator: 'In', values },
  });

  test('fails the Job at a certain exit code, and says why', async () => {
    const podFailurePolicy = { rules: [onExit('Count', 1), onExit('FailJob', 42)] };
    await bench.cluster.apply(jobManifest({ podFailurePolicy }, { ...FAILS, 'exit-code': '42' }));
    await bench.cluster.advance('5s');
    expect(await bench.conditions()).toEqual(failed('PodFailurePolicy'));
    const [pod] = await bench.pods();
    const message = `Container main for pod default/${pod?.metadata.name} failed with exit code 42 matching FailJob rule at index 1`;
    expect(await bench.events()).toEqual([`Warning PodFailurePolicy ${message}`]);
    expect(await bench.status()).toMatchObject({ failed: 1 });
  });

  test('does not count disruptions that it ignores', async () => {
    const rule = { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] };
    const spec = { backoffLimit: 0, podFailurePolicy: { rules: [rule] } };
    await bench.cluster.apply(jobManifest(spec, { 'complete-after': '20s' }));
    await bench.cluster.advance('5s');
    const [pod] = await bench.pods();
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod?.metadata.name } };
    const answer = await bench.cluster.request(`/api/v1/namespaces/default/pods/${pod?.metadata.name}/eviction`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(eviction),
    });
    expect(answer.status).toBe(201);
    await bench.cluster.advance('1m');
    expect(await bench.status()).toMatchObject({ succeeded: 1 });
    expect((await bench.status()).failed).toBeUndefined();
    expect(await bench.lives()).toEqual(['15s Succeeded']);
  });
});
