import { expect, test } from 'vitest';
import { calculateStatus, nextAvailableInMs } from '../../../lambdas/controllers/daemonset/calculateStatus.ts';
import { daemonNodes } from '../../../lambdas/controllers/daemonset/DaemonNodes.ts';
import type { DaemonSet, Pod } from '../../../lambdas/objects/kinds.ts';
import { storedDaemonSet, storedNode, storedPod } from '../../support/daemonSetFixtures.ts';

const NOW_MS = Date.parse('2026-01-01T00:10:00Z');
const NODES = [storedNode('1'), storedNode('2'), storedNode('3', {}, { taints: [{ key: 'a', effect: 'NoSchedule' }] })];

function worldOf(pods: readonly Pod[], daemonSet: DaemonSet = storedDaemonSet()) {
  return { daemonSet, hash: 'new', nodes: daemonNodes(daemonSet, NODES, pods), failedPods: undefined, nowMs: NOW_MS };
}

const DESIRED = { desiredNumberScheduled: 2, observedGeneration: 1 };

const TABLE: readonly [string, readonly Pod[], object][] = [
  [
    'without pods',
    [],
    { ...DESIRED, currentNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0, numberUnavailable: 2 },
  ],
  [
    'with a pod on each node',
    [storedPod('a', '1'), storedPod('b', '2')],
    {
      ...DESIRED,
      currentNumberScheduled: 2,
      numberMisscheduled: 0,
      numberReady: 2,
      updatedNumberScheduled: 2,
      numberAvailable: 2,
    },
  ],
  [
    'with an old pod, and one that is not ready',
    [storedPod('a', '1', { hash: 'old' }), storedPod('b', '2', { ready: false })],
    {
      ...DESIRED,
      currentNumberScheduled: 2,
      numberMisscheduled: 0,
      numberReady: 1,
      updatedNumberScheduled: 1,
      numberAvailable: 1,
      numberUnavailable: 1,
    },
  ],
  [
    'a node with two pods counts by the older one',
    [storedPod('a', '1', { hash: 'old' }), storedPod('b', '1', { at: 5, ready: false }), storedPod('c', '2')],
    {
      ...DESIRED,
      currentNumberScheduled: 2,
      numberMisscheduled: 0,
      numberReady: 2,
      updatedNumberScheduled: 1,
      numberAvailable: 2,
    },
  ],
  [
    'a pod where none is to be is misscheduled',
    [storedPod('a', '3')],
    { ...DESIRED, currentNumberScheduled: 0, numberMisscheduled: 1, numberReady: 0, numberUnavailable: 2 },
  ],
  [
    'a pod on a node that is gone does not count',
    [storedPod('a', '9')],
    { ...DESIRED, currentNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0, numberUnavailable: 2 },
  ],
];

test.each(TABLE)('the status %s', (_, pods, expected) => {
  expect(calculateStatus(worldOf(pods))).toEqual(expected);
});

test('a pod that is ready becomes available after minReadySeconds', () => {
  const world = worldOf([storedPod('a', '1', { at: 590 })], storedDaemonSet({ minReadySeconds: 30 }));
  expect(calculateStatus(world)).toMatchObject({ numberReady: 1, numberUnavailable: 2 });
  expect(nextAvailableInMs(world)).toBe(20_000);
});

test('a status that says the same is not written again', () => {
  const pods = [storedPod('a', '1')];
  const status = calculateStatus(worldOf(pods));
  const daemonSet = { ...storedDaemonSet(), status };
  expect(calculateStatus(worldOf(pods, daemonSet))).toBe(status);
});

test('a collision count is kept, and written when it has grown', () => {
  const pods = [storedPod('a', '1')];
  const daemonSet = { ...storedDaemonSet(), status: calculateStatus(worldOf(pods)) };
  expect(calculateStatus({ ...worldOf(pods, daemonSet), collisionCount: 1 })).toMatchObject({ collisionCount: 1 });
});
