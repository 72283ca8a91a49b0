import { describe, expect, test } from 'vitest';
import { PodTimeline } from '../../support/PodTimeline.ts';

const NEVER = { restartPolicy: 'Never' } as const;
const ON_FAILURE = { restartPolicy: 'OnFailure' } as const;

/** A pod of a Job, with an index and a number of failures before it if they are given. */
function podOfJob(
  simulated: Record<string, string>,
  { index, failures }: { index?: number; failures?: number } = {},
  spec: ConstructorParameters<typeof PodTimeline>[1] = NEVER,
): PodTimeline {
  const timeline = new PodTimeline(simulated, spec);
  const { metadata } = timeline.pod;
  const counted = {
    ...(index !== undefined && { 'batch.kubernetes.io/job-completion-index': String(index) }),
    ...(failures !== undefined && { 'batch.kubernetes.io/job-index-failure-count': String(failures) }),
  };
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'pi', uid: 'job-1', controller: true };
  timeline.pod = {
    ...timeline.pod,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...counted }, ownerReferences: [owner] },
  };
  return timeline;
}

const SUCCEEDS = ['0s bind', '0s Running 1/1 Ready main:running', '1s Succeeded 0/1 main:Completed=0'];
const FAILS = ['0s bind', '0s Running 1/1 Ready main:running', '1s Failed 0/1 main:Error=1'];

describe("a Job's pod", () => {
  test.each([
    ['succeeds after a second if nothing is said', {}, {}, SUCCEEDS],
    ['succeeds when it is told to', { 'complete-after': '1s' }, {}, SUCCEEDS],
    ['fails in an index that is named', { 'fail-indexes': '0,3-5' }, { index: 4 }, FAILS],
    ['succeeds in an index that is not named', { 'fail-indexes': '0,3-5' }, { index: 2 }, SUCCEEDS],
    ['succeeds without an index where indexes are named', { 'fail-indexes': '0' }, {}, SUCCEEDS],
    ['fails in its first attempts', { 'fail-attempts': '2' }, { index: 0, failures: 1 }, FAILS],
    ['succeeds after its failing attempts', { 'fail-attempts': '2' }, { index: 0, failures: 2 }, SUCCEEDS],
    ['goes by the attempt that its Job has counted', { 'fail-attempts': '2', attempt: '2' }, {}, SUCCEEDS],
    [
      'succeeds where only a crash of other indexes is told',
      { 'crash-after': '5s', 'fail-indexes': '1' },
      {},
      SUCCEEDS,
    ],
    [
      'fails with the exit code that is told',
      { 'fail-indexes': '1', 'crash-after': '1s', 'exit-code': '42' },
      { index: 1 },
      FAILS.map((line) => line.replace('Error=1', 'Error=42')),
    ],
  ])('%s', async (_, simulated: Record<string, string>, counted, lines) => {
    expect(await podOfJob(simulated, counted).run(100)).toEqual(lines);
  });

  test('counts the restarts of its containers as attempts', async () => {
    expect(await podOfJob({ 'fail-attempts': '2' }, {}, ON_FAILURE).run(100)).toEqual([
      '0s bind',
      '0s Running 1/1 Ready main:running',
      '1s Running 0/1 main:Error=1',
      '1s Running 1/1 Ready main:running(1)',
      '2s Running 0/1 main:Error=1(1)',
      '2s Running 0/1 main:CrashLoopBackOff(1)',
      '12s Running 1/1 Ready main:running(2)',
      '13s Succeeded 0/1 main:Completed=0(2)',
    ]);
  });

  test('has failed when it is stopped before its end', async () => {
    const timeline = podOfJob({ 'complete-after': '1h' });
    await timeline.run(10);
    timeline.delete(30, ['batch.kubernetes.io/job-tracking']);
    expect(await timeline.run(10)).toContain('10s Failed 0/1 main:Error=143');
  });

  test.each([
    ['fail-attempts', 'two', 'is not a number'],
    ['fail-indexes', '5-', 'is not a list of completion indexes such as 0,3-5'],
  ])('says that its annotation %s cannot be read', async (name, value, problem) => {
    const timeline = podOfJob({ [name]: value });
    await timeline.run(0);
    expect(timeline.pod.status?.conditions?.flatMap(({ message }) => message ?? [])).toEqual([
      `simulate.driftless.dev/${name}: ${JSON.stringify(value)} ${problem}`,
    ]);
  });
});

test('a server that crashes in its first starts only runs on afterwards', async () => {
  const lines = await new PodTimeline({ 'crash-after': '5s', 'fail-attempts': '1' }).run(1e6);
  expect(lines).toEqual([
    '0s bind',
    '0s Running 1/1 Ready main:running',
    '5s Running 0/1 main:Error=1',
    '5s Running 1/1 Ready main:running(1)',
  ]);
});
