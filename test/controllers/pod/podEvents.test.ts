import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import type { EventToRecord } from '../../../lambdas/controllers/EventRecorder.ts';
import { PodEventBudget, type PodEventsPolicy } from '../../../lambdas/controllers/pod/PodEventBudget.ts';
import { kubeletEventsOf, schedulerEventsOf, stopEventsOf } from '../../../lambdas/controllers/pod/podEvents.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { PodTimeline } from '../../support/PodTimeline.ts';

/** The events of a pod from its creation until so many seconds later. */
async function eventsOf(
  annotations: Record<string, string>,
  spec: ConstructorParameters<typeof PodTimeline>[1],
  seconds: number,
): Promise<string[]> {
  const timeline = new PodTimeline(annotations, spec);
  const events: string[] = [];
  timeline.onStep = (before, after) => {
    for (const { type, reason, message } of [...schedulerEventsOf(before, after), ...kubeletEventsOf(before, after)])
      events.push(`${type} ${reason}: ${message}`);
  };
  await timeline.run(seconds);
  return events;
}

const STARTED = ['Normal Created: Container created', 'Normal Started: Container started'];
const PULLED = [
  'Normal Pulling: Pulling image "nginx:1.27"',
  'Normal Pulled: Successfully pulled image "nginx:1.27" in 0s (0s including waiting). Image size: 0 bytes.',
];

describe('a scheduler and a kubelet report a pod', () => {
  test('that starts', async () => {
    const events = await eventsOf({ 'start-delay': '3s' }, {}, 10);
    expect(events).toEqual([
      expect.stringMatching(/^Normal Scheduled: Successfully assigned default\/web to node-[12]$/),
      ...PULLED,
      ...STARTED,
    ]);
  });

  test('whose image cannot be pulled', async () => {
    const events = await eventsOf({}, { nodeName: 'node-1', containers: [{ name: 'main', image: 'nginx:404' }] }, 5);
    expect(events).toEqual([
      'Normal Pulling: Pulling image "nginx:404"',
      expect.stringMatching(/^Warning Failed: Failed to pull image "nginx:404": rpc error: code = NotFound/),
      'Warning Failed: Error: ErrImagePull',
      'Normal BackOff: Back-off pulling image "nginx:404"',
      'Warning Failed: Error: ImagePullBackOff',
    ]);
  });

  test('that is active for longer than it may be', async () => {
    const events = await eventsOf({}, { nodeName: 'node-1', activeDeadlineSeconds: 5 }, 10);
    expect(events.slice(-2)).toEqual([
      'Normal DeadlineExceeded: Pod was active on the node longer than the specified deadline',
      'Normal Killing: Stopping container main',
    ]);
  });

  test('whose image is never pulled, and not there', async () => {
    const containers = [{ name: 'main', image: 'nginx:1.27', imagePullPolicy: 'Never' }];
    expect(await eventsOf({}, { nodeName: 'node-1', containers }, 600)).toEqual([
      'Warning ErrImageNeverPull: Container image "nginx:1.27" is not present with pull policy of Never',
      'Warning Failed: Error: ErrImageNeverPull',
    ]);
    expect(await eventsOf({ 'image-present': 'true' }, { nodeName: 'node-1', containers }, 600)).toEqual([
      'Normal Pulled: Container image "nginx:1.27" already present on machine and can be accessed by the pod',
      ...STARTED,
    ]);
  });

  test('whose container must not run as root, but would', async () => {
    const containers = [{ name: 'main', image: 'nginx:1.27', securityContext: { runAsUser: 0 } }];
    const spec = { nodeName: 'node-1', containers, securityContext: { runAsNonRoot: true } };
    expect(await eventsOf({}, spec, 600)).toEqual([
      ...PULLED,
      `Warning Failed: Error: container's runAsUser breaks non-root policy (pod: "web_default(u-1)", container: main)`,
    ]);
  });

  test('whose image name is invalid', async () => {
    const events = await eventsOf({}, { nodeName: 'node-1', containers: [{ name: 'main', image: 'Nginx' }] }, 5);
    expect(events).toEqual([
      expect.stringMatching(/^Warning InspectFailed: Failed to apply default image tag "Nginx"/),
      'Warning Failed: Error: InvalidImageName',
    ]);
  });

  test('that crashes again and again', async () => {
    const again = [
      'Normal Pulled: Container image "nginx:1.27" already present on machine and can be accessed by the pod',
      ...STARTED,
    ];
    expect(await eventsOf({ 'crash-after': '10s' }, { nodeName: 'node-1' }, 35)).toEqual([
      ...PULLED,
      ...STARTED,
      ...again,
      'Warning BackOff: Back-off restarting failed container main in pod web_default(u-1)',
      ...again,
    ]);
  });

  test('that is stopped', async () => {
    const timeline = new PodTimeline({ 'termination-delay': '2s' }, { nodeName: 'node-1' });
    await timeline.run(1);
    timeline.delete(30);
    const events: EventToRecord[] = [];
    timeline.onStep = (before, after) => void events.push(...kubeletEventsOf(before, after));
    await timeline.run(5);
    expect(events).toMatchObject([{ type: 'Normal', reason: 'Killing', message: 'Stopping container main' }]);
  });

  test('that is deleted without delay', async () => {
    const timeline = new PodTimeline({}, { nodeName: 'node-1' });
    await timeline.run(1);
    expect(stopEventsOf(timeline.pod)).toMatchObject([
      { reason: 'Killing', message: 'Stopping container main', fieldPath: 'spec.containers{main}' },
    ]);
  });
});

describe('the budget for events admits', () => {
  const regarding = { metadata: { name: 'web' } } as Pod;
  const story: EventToRecord[] = ['Scheduled', 'Pulling', 'Pulled', 'Created', 'Started'].map((reason) => ({
    regarding,
    type: 'Normal',
    reason,
    message: '',
  }));
  const trouble: EventToRecord = { regarding, type: 'Warning', reason: 'Failed', message: '' };

  test.each<[PodEventsPolicy, number, number]>([
    ['all', 5000, 1000],
    ['limited', 100, 1000],
    ['warnings', 0, 1000],
    ['none', 0, 0],
  ])('%s: %i normal events and %i warnings of a thousand pods', (policy, normal, warnings) => {
    const budget = new PodEventBudget(policy, new VirtualClock(1e12));
    const admitted = Array.from({ length: 1000 }, () => budget.admit([...story, trouble])).flat();
    expect(admitted.filter(({ type }) => type === 'Normal')).toHaveLength(normal);
    expect(admitted.filter(({ type }) => type === 'Warning')).toHaveLength(warnings);
  });

  test('fewer normal events where many processes share the pods', () => {
    const clock = new VirtualClock(1e12);
    const budget = new PodEventBudget('limited', clock, { burst: 25, perSecond: 5 });
    const admitted = () => Array.from({ length: 100 }, () => budget.admit(story)).flat().length;
    expect(admitted()).toBe(25);
    clock.advanceBy(1000);
    expect(admitted()).toBe(5);
  });

  test('only warnings while the tables are overloaded', () => {
    const load = { isHigh: true };
    const limits = { burst: 25, perSecond: 5, isOverloaded: () => load.isHigh };
    const budget = new PodEventBudget('limited', new VirtualClock(1e12), limits);
    expect(budget.admit([...story, trouble])).toEqual([trouble]);
    load.isHigh = false;
    expect(budget.admit([...story, trouble])).toHaveLength(6);
  });

  test('50 more normal events for each second that passes', () => {
    const clock = new VirtualClock(1e12);
    const budget = new PodEventBudget('limited', clock);
    const admitted = () => Array.from({ length: 100 }, () => budget.admit(story)).flat().length;
    expect(admitted()).toBe(100);
    clock.advanceBy(1000);
    expect(admitted()).toBe(50);
  });
});
