import { describe, expect, test } from 'vitest';
import { schedulePod } from '../../../lambdas/controllers/scheduler/schedulePod.ts';
import type { DisruptionBudget } from '../../../lambdas/controllers/scheduler/selectVictimsOnNode.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { cluster, info, node, pod } from './schedulerObjects.ts';

/** A pod of this priority that takes so many CPUs of its node. */
function taken(
  name: string,
  on: string,
  priority: number,
  cpu: string,
  labels = {},
  startTime = '2026-01-01T00:00:00Z',
) {
  const one = pod(name, { on, requests: { cpu }, labels, status: { startTime } });
  return { ...one, spec: { containers: [], ...one.spec, priority } };
}

/** `disrupted`: the names of pods whose evictions it has been charged for. */
function budget(app: string, disruptionsAllowed: number, disrupted: readonly string[] = []): DisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: app, namespace: 'default', uid: app, resourceVersion: '1', creationTimestamp: '' },
    spec: { selector: { matchLabels: { app } } },
    status: {
      disruptionsAllowed,
      currentHealthy: 1,
      desiredHealthy: 1,
      expectedPods: 1,
      disruptedPods: Object.fromEntries(disrupted.map((name) => [name, '2026-01-01T00:00:00Z'])),
    },
  };
}

/** The node that is to wait for a pod of priority 100 and `cpu` CPUs, and the victims; or what is said about preemption. */
function preempted(cpu: string, pods: readonly Pod[], budgets: readonly DisruptionBudget[] = [], status = {}): string {
  const nodes = [...new Set(['a', ...pods.map(({ spec }) => spec?.nodeName ?? '')])].map((name) => node(name));
  const pending = info('new', {
    requests: { cpu },
    status,
    spec: { ...pod('n', { requests: { cpu } }).spec, priority: 100 },
  });
  const decided = schedulePod(pending, cluster(nodes, pods), budgets);
  if (decided.decision !== 'wait') return `binds to ${decided.node.metadata.name}`;
  const names = decided.victims.map((victim) => victim.pod.metadata.name);
  return names.length > 0
    ? `${decided.nominatedNodeName}: ${names.join(' ')}`
    : (decided.message.split('preemption: ')[1] ?? '');
}

describe('a pod preempts', () => {
  test.each<[string, string, readonly Pod[], string]>([
    ['nobody if it fits', '1', [taken('x', 'a', 0, '3')], 'binds to a'],
    [
      'nobody as important as itself',
      '2',
      [taken('x', 'a', 100, '3')],
      '0/1 nodes are available: 1 No preemption victims found for incoming pod.',
    ],
    [
      'nobody if that is not enough',
      '3',
      [taken('x', 'a', 0, '1'), taken('y', 'a', 200, '2')],
      '0/1 nodes are available: 1 Insufficient cpu.',
    ],
    [
      'nobody if it is larger than the node',
      '5',
      [taken('x', 'a', 0, '1')],
      '0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    ],
    [
      'no more than it needs, the least important first',
      '1',
      [taken('x', 'a', 5, '2'), taken('y', 'a', 1, '1'), taken('z', 'a', 3, '1')],
      'a: y',
    ],
    [
      'the younger of two that are alike',
      '1',
      [taken('x', 'a', 1, '2', {}, '2026-01-01T00:00:09Z'), taken('y', 'a', 1, '2')],
      'a: x',
    ],
    [
      'on the node whose most important victim matters least',
      '4',
      [taken('x', 'a', 5, '4'), taken('y', 'b', 4, '4')],
      'b: y',
    ],
    [
      'on the node with the smaller sum of priorities',
      '4',
      [taken('x', 'a', 4, '2'), taken('x2', 'a', 3, '2'), taken('y', 'b', 4, '2'), taken('y2', 'b', 1, '2')],
      'b: y y2',
    ],
    [
      'on the node with fewer victims',
      '4',
      [taken('x', 'a', 0, '2'), taken('x2', 'a', 0, '2'), taken('y', 'b', 0, '4')],
      'b: y',
    ],
    [
      'on the node whose victims started last',
      '4',
      [taken('x', 'a', 0, '4'), taken('y', 'b', 0, '4', {}, '2026-01-01T00:00:09Z')],
      'b: y',
    ],
  ])('%s', (_what, cpu, pods, expected) => {
    expect(preempted(cpu, pods)).toBe(expected);
  });

  test('no more pods while its victims are ending on the node that waits for it', () => {
    const ending = taken('x', 'a', 0, '4');
    const conditions = [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }];
    const victim = { ...ending, metadata: { ...ending.metadata, deletionTimestamp: 'x' }, status: { conditions } };
    expect(preempted('4', [victim, taken('y', 'b', 0, '4')], [], { nominatedNodeName: 'a' })).toBe(
      'not eligible due to a terminating pod on the nominated node.',
    );
  });
});

describe('with a budget for app=db that allows a number of disruptions, a pod preempts', () => {
  /** The only pod with a budget is x: it takes so many CPUs of node a. */
  test.each<[string, number, string, Pod | undefined, string]>([
    ['rather pods without a budget', 0, '2', taken('y', 'a', 9, '2'), 'a: y'],
    ['rather on the node where no budget is violated', 0, '4', taken('y', 'b', 9, '4'), 'b: y'],
    ['a pod whose budget allows it', 1, '4', taken('y', 'b', 9, '4'), 'a: x'],
    ['against a budget if there is no other way', 0, '4', undefined, 'a: x'],
  ])('%s', (_what, disruptionsAllowed, cpu, other, expected) => {
    const pods = [taken('x', 'a', 1, cpu, { app: 'db' }), ...(other ? [other] : [])];
    expect(preempted(cpu, pods, [budget('db', disruptionsAllowed)])).toBe(expected);
  });
});

test.each<[string, readonly string[], string]>([
  ['the less important of two that a budget protects', [], 'a: y'],
  ['rather a pod for whose eviction the budget has been charged than one that it protects', ['x'], 'a: x'],
])('a pod preempts %s', (_what, disrupted, expected) => {
  const pods = [taken('x', 'a', 9, '2', { app: 'db' }), taken('y', 'a', 1, '2', { app: 'db' })];
  expect(preempted('2', pods, [budget('db', 0, disrupted)])).toBe(expected);
});

test('room that waits for a more important pod is not given to another', () => {
  const waiting = pod('waits', { requests: { cpu: '4' }, status: { nominatedNodeName: 'a' } });
  const nominated = { ...waiting, spec: { containers: [], ...waiting.spec, priority: 10 } };
  const decided = schedulePod(info('new', { requests: { cpu: '1' } }), cluster([node('a')], [nominated]));
  expect(decided).toMatchObject({ decision: 'wait', waitsFor: ['NodeResourcesFit'] });
});

test('a pod takes the node that waits for it', () => {
  const nodes = ['a', 'b', 'c', 'd'].map((name) => node(name));
  for (const { metadata } of nodes) {
    const nominated = info('new', { status: { nominatedNodeName: metadata.name } });
    expect(schedulePod(nominated, cluster(nodes))).toMatchObject({
      decision: 'bind',
      node: { metadata: { name: metadata.name } },
    });
  }
});
