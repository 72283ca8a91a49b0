import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { PodTimeline } from '../../support/PodTimeline.ts';

async function statusOf(
  annotations: Record<string, string> = {},
  spec: ConstructorParameters<typeof PodTimeline>[1] = {},
  seconds = 0,
): Promise<NonNullable<Pod['status']>> {
  const timeline = new PodTimeline(annotations, { nodeName: 'node-2', ...spec });
  await timeline.run(seconds);
  return timeline.pod.status ?? {};
}

const conditionsOf = ({ conditions = [] }: NonNullable<Pod['status']>) =>
  conditions.map(({ type, status, reason, message }) =>
    [type, status, reason, message].filter((part) => part).join(' '),
  );

const PULL_ERROR =
  'rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx:404": failed to resolve reference "docker.io/library/nginx:404": docker.io/library/nginx:404: not found';

describe('the status of a simulated pod', () => {
  test('is complete, as a kubelet writes it', async () => {
    const time = '2026-01-01T00:00:00Z';
    expect(await statusOf()).toEqual({
      phase: 'Running',
      conditions: ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(
        (type) => ({
          type,
          status: 'True',
          lastTransitionTime: time,
        }),
      ),
      hostIP: '10.0.0.2',
      hostIPs: [{ ip: '10.0.0.2' }],
      podIP: expect.stringMatching(/^198\.18\.\d+\.\d+$/),
      podIPs: [{ ip: expect.stringMatching(/^198\.18\./) }],
      startTime: time,
      qosClass: 'BestEffort',
      containerStatuses: [
        {
          name: 'main',
          state: { running: { startedAt: time } },
          lastState: {},
          ready: true,
          started: true,
          restartCount: 0,
          image: 'docker.io/library/nginx:1.27',
          imageID: expect.stringMatching(/^docker\.io\/library\/nginx@sha256:[0-9a-f]{64}$/),
          containerID: expect.stringMatching(/^containerd:\/\/[0-9a-f]{64}$/),
        },
      ],
    });
  });

  test.each<[string, Record<string, string>, object, number, string[]]>([
    [
      'being created',
      { 'start-delay': '5s' },
      {},
      0,
      [
        'PodReadyToStartContainers False',
        'Initialized True',
        'Ready False ContainersNotReady containers with unready status: [main]',
        'ContainersReady False ContainersNotReady containers with unready status: [main]',
        'PodScheduled True',
      ],
    ],
    [
      'that initializes',
      { 'init-duration': '5s' },
      {
        initContainers: [
          { name: 'a', image: 'x' },
          { name: 'b', image: 'x' },
        ],
      },
      0,
      [
        'PodReadyToStartContainers True',
        'Initialized False ContainersNotInitialized containers with incomplete status: [a b]',
        'Ready False ContainersNotReady containers with unready status: [main]',
        'ContainersReady False ContainersNotReady containers with unready status: [main]',
        'PodScheduled True',
      ],
    ],
    [
      'that has succeeded',
      { 'complete-after': '1s' },
      { restartPolicy: 'Never' },
      1,
      [
        'PodReadyToStartContainers False',
        'Initialized True PodCompleted',
        'Ready False PodCompleted',
        'ContainersReady False PodCompleted',
        'PodScheduled True',
      ],
    ],
    [
      'that has failed',
      { 'crash-after': '1s' },
      { restartPolicy: 'Never' },
      1,
      [
        'PodReadyToStartContainers False',
        'Initialized True',
        'Ready False PodFailed',
        'ContainersReady False PodFailed',
        'PodScheduled True',
      ],
    ],
    [
      'with a readiness gate that nobody opened',
      {},
      { readinessGates: [{ conditionType: 'example.com/lb' }] },
      0,
      [
        'PodReadyToStartContainers True',
        'Initialized True',
        'Ready False ReadinessGatesNotReady corresponding condition of pod readiness gate "example.com/lb" does not exist.',
        'ContainersReady True',
        'PodScheduled True',
      ],
    ],
    [
      'whose annotations cannot be read, which count as absent',
      { 'start-delay': 'soon', 'never-ready': 'yes' },
      {},
      0,
      [
        'PodReadyToStartContainers True',
        'Initialized True',
        'Ready True',
        'ContainersReady True',
        'PodScheduled True',
        'simulate.driftless.dev/AnnotationsValid False MalformedAnnotation simulate.driftless.dev/start-delay: "soon" is not a duration such as 5s or 1m30s; simulate.driftless.dev/never-ready: "yes" is not "true" or "false"',
      ],
    ],
  ])('has the conditions of a pod %s', async (_what, annotations, spec, seconds, conditions) => {
    expect(conditionsOf(await statusOf(annotations, spec, seconds))).toEqual(conditions);
  });

  test.each<[string, Record<string, string>, string, number, object]>([
    ['a failed pull', {}, 'nginx:404', 0, { reason: 'ErrImagePull', message: PULL_ERROR }],
    [
      'a pull in backoff',
      {},
      'nginx:404',
      5,
      { reason: 'ImagePullBackOff', message: `Back-off pulling image "nginx:404": ErrImagePull: ${PULL_ERROR}` },
    ],
    [
      'an upper-case name',
      {},
      'Nginx',
      0,
      {
        reason: 'InvalidImageName',
        message:
          'Failed to apply default image tag "Nginx": couldn\'t parse image name "Nginx": invalid reference format: repository name (library/Nginx) must be lowercase',
      },
    ],
    [
      'a crash loop',
      { 'crash-after': '100s' },
      'nginx',
      440,
      {
        reason: 'CrashLoopBackOff',
        message: 'back-off 40s restarting failed container=main pod=web_default(u-1)',
      },
    ],
  ])('says why a container waits: %s', async (_what, annotations, image, seconds, waiting) => {
    const status = await statusOf(annotations, { containers: [{ name: 'main', image }] }, seconds);
    expect(status.containerStatuses?.[0]?.state?.waiting).toEqual(waiting);
  });

  test("keeps the container's state before its crash", async () => {
    const [container] = (await statusOf({ 'crash-after': '10s' }, {}, 25)).containerStatuses ?? [];
    expect(container?.lastState?.terminated).toMatchObject({
      exitCode: 1,
      reason: 'Error',
      startedAt: '2026-01-01T00:00:10Z',
      finishedAt: '2026-01-01T00:00:20Z',
    });
  });

  test('keeps conditions that others have set', async () => {
    const timeline = new PodTimeline({}, { nodeName: 'node-1' });
    timeline.pod = { ...timeline.pod, status: { conditions: [{ type: 'example.com/lb', status: 'True' }] } };
    await timeline.run(0);
    expect(timeline.pod.status?.conditions?.at(-1)).toEqual({ type: 'example.com/lb', status: 'True' });
  });
});
