import { describe, expect, test } from 'vitest';
import { SimulatedPodRuntime } from '../../../lambdas/adapters/simulated/SimulatedPodRuntime.ts';
import { podConditionOf } from '../../../lambdas/objects/pods/podState.ts';
import { PodTimeline } from '../../support/PodTimeline.ts';

type Spec = ConstructorParameters<typeof PodTimeline>[1];
const INIT = { initContainers: [{ name: 'init', image: 'busybox' }] };
const SIDECAR = { initContainers: [{ name: 'side', image: 'proxy', restartPolicy: 'Always' }] };
const image = (name: string): Spec => ({ containers: [{ name: 'main', image: name }] });

interface Story {
  readonly promise: string;
  readonly annotations?: Record<string, string>;
  readonly spec?: Spec;
  readonly seconds?: number;
  readonly lines: readonly string[];
}

const STORIES: readonly Story[] = [
  {
    promise: 'a pod is bound, then runs and is ready at once',
    lines: ['0s bind', '0s Running 1/1 Ready main:running'],
  },
  {
    promise: 'start-delay keeps its containers in creation',
    annotations: { 'start-delay': '5s' },
    lines: ['0s bind', '0s Pending 0/1 main:ContainerCreating', '5s Running 1/1 Ready main:running'],
  },
  {
    promise: 'ready-after keeps it unready for a while',
    annotations: { 'ready-after': '1m30s' },
    lines: ['0s bind', '0s Running 0/1 main:running', '90s Running 1/1 Ready main:running'],
  },
  {
    promise: 'never-ready keeps it unready for ever',
    annotations: { 'never-ready': 'true' },
    seconds: 1e6,
    lines: ['0s bind', '0s Running 0/1 main:running'],
  },
  {
    promise: 'fail-pull alternates between the failure and a backoff that doubles up to five minutes',
    annotations: { 'fail-pull': 'true' },
    seconds: 1000,
    lines: [
      '0s bind',
      ...[0, 10, 30, 70, 150, 310, 610, 910].flatMap((at) => [
        `${at}s Pending 0/1 main:ErrImagePull`,
        `${at + 2}s Pending 0/1 main:ImagePullBackOff`,
      ]),
    ],
  },
  {
    promise: 'an image tagged 404 cannot be pulled',
    spec: image('nginx:404'),
    lines: ['0s bind', '0s Pending 0/1 main:ErrImagePull', '2s Pending 0/1 main:ImagePullBackOff'],
    seconds: 5,
  },
  {
    promise: 'an image whose name contains nonexistent cannot be pulled',
    spec: image('example.com/nonexistent/app:1'),
    lines: ['0s bind', '0s Pending 0/1 main:ErrImagePull'],
    seconds: 1,
  },
  {
    promise: 'an image with an invalid name is never pulled',
    spec: image('Not/An:Image:Name'),
    lines: ['0s bind', '0s Pending 0/1 main:InvalidImageName'],
    seconds: 1e6,
  },
  {
    promise:
      'crash-after makes a crash loop: the first restart comes at once, the next after 10 s, doubled each time up to 5 min',
    annotations: { 'crash-after': '10s' },
    seconds: 200,
    lines: [
      '0s bind',
      '0s Running 1/1 Ready main:running',
      '10s Running 0/1 main:Error=1',
      '10s Running 1/1 Ready main:running(1)',
      '20s Running 0/1 main:Error=1(1)',
      '20s Running 0/1 main:CrashLoopBackOff(1)',
      '30s Running 1/1 Ready main:running(2)',
      '40s Running 0/1 main:Error=1(2)',
      '40s Running 0/1 main:CrashLoopBackOff(2)',
      '60s Running 1/1 Ready main:running(3)',
      '70s Running 0/1 main:Error=1(3)',
      '70s Running 0/1 main:CrashLoopBackOff(3)',
      '110s Running 1/1 Ready main:running(4)',
      '120s Running 0/1 main:Error=1(4)',
      '120s Running 0/1 main:CrashLoopBackOff(4)',
      '200s Running 1/1 Ready main:running(5)',
    ],
  },
  {
    promise: 'a container that ran for more than ten minutes is started again without backoff',
    annotations: { 'crash-after': '11m' },
    seconds: 1400,
    lines: [
      '0s bind',
      '0s Running 1/1 Ready main:running',
      '660s Running 0/1 main:Error=1',
      '660s Running 1/1 Ready main:running(1)',
      '1320s Running 0/1 main:Error=1(1)',
      '1320s Running 1/1 Ready main:running(2)',
    ],
  },
  {
    promise: 'with restart policy Never a crash makes the pod Failed',
    annotations: { 'crash-after': '3s', 'exit-code': '7' },
    spec: { restartPolicy: 'Never' },
    lines: ['0s bind', '0s Running 1/1 Ready main:running', '3s Failed 0/1 main:Error=7'],
  },
  {
    promise: 'with restart policy OnFailure a crash is restarted',
    annotations: { 'crash-after': '30s' },
    spec: { restartPolicy: 'OnFailure' },
    seconds: 31,
    lines: [
      '0s bind',
      '0s Running 1/1 Ready main:running',
      '30s Running 0/1 main:Error=1',
      '30s Running 1/1 Ready main:running(1)',
    ],
  },
  {
    promise: 'with restart policy OnFailure a container that completes makes the pod Succeeded',
    annotations: { 'complete-after': '3s' },
    spec: { restartPolicy: 'OnFailure' },
    lines: ['0s bind', '0s Running 1/1 Ready main:running', '3s Succeeded 0/1 main:Completed=0'],
  },
  {
    promise: 'an init container runs first, and is not reported if it takes no time',
    spec: INIT,
    lines: ['0s bind', '0s Running 1/1 Ready init:Completed=0 main:running'],
  },
  {
    promise: 'an init container with init-duration is reported as running',
    annotations: { 'init-duration': '4s' },
    spec: INIT,
    lines: [
      '0s bind',
      '0s Pending 0/1 init:running main:PodInitializing',
      '4s Running 1/1 Ready init:Completed=0 main:running',
    ],
  },
  {
    promise: 'fail-init makes a crash loop of the init container, and the other containers never start',
    annotations: { 'fail-init': 'true' },
    spec: INIT,
    seconds: 15,
    lines: [
      '0s bind',
      '0s Pending 0/1 init:Error=1 main:PodInitializing',
      '0s Pending 0/1 init:Error=1(1) main:PodInitializing',
      '0s Pending 0/1 init:CrashLoopBackOff(1) main:PodInitializing',
      '10s Pending 0/1 init:Error=1(2) main:PodInitializing',
      '10s Pending 0/1 init:CrashLoopBackOff(2) main:PodInitializing',
    ],
  },
  {
    promise: 'with restart policy Never a failed init container fails the pod',
    annotations: { 'fail-init': 'true' },
    spec: { ...INIT, restartPolicy: 'Never' },
    lines: ['0s bind', '0s Failed 0/1 init:Error=1 main:PodInitializing'],
  },
  {
    promise: 'a sidecar runs beside the others',
    spec: SIDECAR,
    lines: ['0s bind', '0s Running 1/1 Ready side:running main:running'],
  },
  {
    promise: 'a sidecar ends after the other containers',
    annotations: { 'complete-after': '3s' },
    spec: { ...SIDECAR, restartPolicy: 'Never' },
    lines: [
      '0s bind',
      '0s Running 1/1 Ready side:running main:running',
      '3s Succeeded 0/1 side:Completed=0 main:Completed=0',
    ],
  },
  {
    promise: 'a pod fails after its activeDeadlineSeconds',
    spec: { activeDeadlineSeconds: 20 },
    lines: ['0s bind', '0s Running 1/1 Ready main:running', '20s Failed 0/1 DeadlineExceeded main:Error=137'],
  },
  { promise: 'a pod of another scheduler waits for it', spec: { schedulerName: 'mine' }, lines: [] },
  {
    promise: 'a pod whose spec names a node is not scheduled',
    spec: { nodeName: 'node-2' },
    lines: ['0s Running 1/1 Ready main:running'],
  },
];

describe('the simulated runtime', () => {
  test.each(STORIES)('$promise', async ({ annotations, spec, seconds = 100, lines }) => {
    expect(await new PodTimeline(annotations, spec).run(seconds)).toEqual(lines);
  });

  test('makes the same steps when it continues from a stored state', async () => {
    const whole = new PodTimeline({ 'crash-after': '7s', 'start-delay': '3s' });
    await whole.run(120);
    const halves = new PodTimeline({ 'crash-after': '7s', 'start-delay': '3s' });
    for (let second = 0; second < 120; second++) await halves.run(1);
    expect(halves.lines).toEqual(whole.lines);
    expect(halves.pod).toEqual(whole.pod);
  });
});

describe('clocks that differ or step', () => {
  const SCRIPTS: Record<string, string>[] = [
    {},
    { 'ready-after': '4s' },
    { 'ready-after': '4.5s' },
    { 'start-delay': '3s', 'ready-after': '2s' },
    { 'crash-after': '7s' },
    { 'complete-after': '7s' },
  ];

  test.each(SCRIPTS)('a worker whose clock is behind takes nothing back: %o', async (annotations) => {
    const runtime = new SimulatedPodRuntime();
    const timeline = new PodTimeline(annotations);
    for (let second = 0; second < 60; second += 1) {
      await timeline.run(1);
      const nowMs = timeline.startMs + (second + 1) * 1000;
      for (const behindMs of [10, 700, 5_000, 50_000]) {
        expect(await runtime.next(timeline.pod, timeline.node, nowMs - behindMs)).toMatchObject({ step: 'wait' });
      }
    }
  });

  test('the times in a status never go back', async () => {
    const runtime = new SimulatedPodRuntime();
    const timeline = new PodTimeline({ 'ready-after': '4s', 'crash-after': '7s' });
    await timeline.run(5);
    const before = podConditionOf(timeline.pod, 'Ready')?.lastTransitionTime ?? '';
    // A probe is said to have failed, so there is something to write.
    const unready = structuredClone(timeline.pod);
    for (const condition of unready.status?.conditions ?? []) condition.status = 'False';
    const step = await runtime.next(unready, timeline.node, timeline.startMs + 1_000);
    if (step.step !== 'status') throw new Error(`unexpected step: ${step.step}`);
    const times = (step.status.conditions ?? []).map(({ lastTransitionTime = '' }) => lastTransitionTime);
    expect(times.every((time) => time >= before)).toBe(true);
  });

  const HOURS_MS = 2 * 3_600_000;

  test.each<[string, Record<string, string>, string[]]>([
    ['is ready at once', { 'ready-after': '30s' }, ['1s Running 1/1 Ready main:running']],
    ['is started at once', { 'start-delay': '30s' }, ['1s Running 1/1 Ready main:running']],
  ])('a pod that waits when the clock is set back by hours %s', async (_promise, annotations, lines) => {
    const timeline = new PodTimeline(annotations);
    await timeline.run(1);
    const before = timeline.lines.length;
    const step = await new SimulatedPodRuntime().next(timeline.pod, timeline.node, timeline.startMs - HOURS_MS);
    timeline.take(step);
    expect(timeline.lines.slice(before)).toEqual(lines);
  });

  test.each<Record<string, string>>([{}, { 'termination-delay': '5s' }])(
    'a pod whose deletion was requested before the clock was set back by hours ends at once: %o',
    async (annotations) => {
      const timeline = new PodTimeline(annotations);
      await timeline.run(1);
      timeline.delete(30);
      const step = await new SimulatedPodRuntime().next(timeline.pod, timeline.node, timeline.startMs - HOURS_MS);
      expect(step).toEqual({ step: 'remove' });
    },
  );
});

describe('deletion', () => {
  test.each<[string, Record<string, string>, number, string[] | undefined, string[]]>([
    ['removes the pod at once', {}, 30, undefined, ['100s remove']],
    [
      'waits for a container that takes time to end',
      { 'termination-delay': '5s' },
      30,
      undefined,
      ['105s Succeeded 0/1 main:Completed=0', '105s remove'],
    ],
    [
      'kills a container that takes longer than the grace period',
      { 'termination-delay': '1h' },
      30,
      undefined,
      ['130s Failed 0/1 main:Error=137', '130s remove'],
    ],
    [
      'kills a container that ignores SIGTERM',
      { 'ignore-sigterm': 'true' },
      10,
      undefined,
      ['110s Failed 0/1 main:Error=137', '110s remove'],
    ],
    [
      'reports the end of a pod that a finalizer keeps, once',
      {},
      30,
      ['example.com/keep'],
      ['100s Succeeded 0/1 main:Completed=0', '100s remove'],
    ],
  ])('%s', async (_promise, annotations, graceSeconds, finalizers, lines) => {
    const timeline = new PodTimeline(annotations);
    await timeline.run(100);
    timeline.delete(graceSeconds, finalizers);
    const before = timeline.lines.length;
    expect((await timeline.run(5000)).slice(before)).toEqual(lines);
  });

  test.each<[string, Record<string, string>, string[]]>([
    [
      'after the other containers, the last one first',
      { 'termination-delay': '5s' },
      [
        '105s Running 0/1 a:running b:running main:Completed=0',
        '110s Running 0/1 a:running b:Completed=0 main:Completed=0',
        '115s Succeeded 0/1 a:Completed=0 b:Completed=0 main:Completed=0',
        '115s remove',
      ],
    ],
    [
      'with the others, if the grace period ends first',
      { 'termination-delay': '20s' },
      [
        '120s Running 0/1 a:running b:running main:Completed=0',
        '130s Succeeded 0/1 a:Error=137 b:Error=137 main:Completed=0',
        '130s remove',
      ],
    ],
    ['with the others, if they take no time', {}, ['100s remove']],
  ])('ends sidecars %s', async (_promise, annotations, lines) => {
    const initContainers = ['a', 'b'].map((name) => ({ name, image: 'proxy', restartPolicy: 'Always' }));
    const timeline = new PodTimeline(annotations, { initContainers, restartPolicy: 'Never' });
    await timeline.run(100);
    timeline.delete(30);
    const before = timeline.lines.length;
    expect((await timeline.run(5000)).slice(before)).toEqual(lines);
  });

  test('leaves a pod ready until its containers end', async () => {
    const timeline = new PodTimeline({ 'termination-delay': '5s' });
    await timeline.run(100);
    timeline.delete(30);
    const { status } = timeline.pod;
    await timeline.run(4);
    expect(timeline.pod.status).toEqual(status);
  });

  test('removes a pod that was never started', async () => {
    const timeline = new PodTimeline({ 'start-delay': '1h' });
    await timeline.run(1);
    timeline.delete(30);
    expect((await timeline.run(1)).at(-1)).toBe('1s remove');
  });
});
