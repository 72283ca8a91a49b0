import { describe, expect, test } from 'vitest';
import { schedulePod } from '../../../lambdas/controllers/scheduler/schedulePod.ts';
import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';
import { cluster, info, node as nodeOf, placeOf } from './schedulerObjects.ts';

type NodeSpec = NonNullable<Node['spec']>;
type PodSpec = NonNullable<Pod['spec']>;

function node(name: string, spec: NodeSpec = {}, labels: Record<string, string> = {}, ready = 'True'): Node {
  return nodeOf(name, { spec, labels, ready });
}

function chooseNode(spec: Partial<PodSpec>, nodes: readonly Node[], uid = 'u') {
  const decided = schedulePod(info(uid, { spec }), cluster(nodes));
  return decided.decision === 'wait' ? { why: decided.message } : { nodeName: placeOf(decided) };
}

const TAINT = { key: 'gpu', value: 'a', effect: 'NoSchedule' };
const NO_USE = (total: number) =>
  `preemption: 0/${total} nodes are available: ${total} Preemption is not helpful for scheduling.`;
const requires = (key: string, operator: string, values?: string[]) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key, operator, ...(values && { values }) }] }],
      },
    },
  },
});

describe('a pod goes to a node', () => {
  test.each<[string, Partial<PodSpec>, Node[], string]>([
    [
      'that has the labels of its nodeSelector',
      { nodeSelector: { disk: 'ssd' } },
      [node('a'), node('b', {}, { disk: 'ssd' })],
      'b',
    ],
    ['that is schedulable', {}, [node('a', { unschedulable: true }), node('b')], 'b'],
    ['that is ready', {}, [node('a', {}, {}, 'False'), node('b')], 'b'],
    [
      'whose taint it tolerates',
      { tolerations: [{ key: 'gpu', value: 'a' }] },
      [node('a', { unschedulable: true }), node('b', { taints: [TAINT] })],
      'b',
    ],
    [
      'whose taint it tolerates by key',
      { tolerations: [{ key: 'gpu', operator: 'Exists' }] },
      [node('b', { taints: [TAINT] })],
      'b',
    ],
    ['whose taint only prefers others', {}, [node('b', { taints: [{ ...TAINT, effect: 'PreferNoSchedule' }] })], 'b'],
    [
      'that its affinity requires',
      requires('zone', 'In', ['x']),
      [node('a', {}, { zone: 'y' }), node('b', {}, { zone: 'x' })],
      'b',
    ],
    [
      'that has more than its affinity requires',
      requires('cores', 'Gt', ['8']),
      [node('a', {}, { cores: '8' }), node('b', {}, { cores: '16' })],
      'b',
    ],
  ])('%s', (_promise, spec, nodes, nodeName) => {
    expect(chooseNode(spec, nodes)).toEqual({ nodeName });
  });

  test('that is always the same, in any order of the list', () => {
    const nodes = ['a', 'b', 'c'].map((name) => node(name));
    expect(chooseNode({}, nodes)).toEqual(chooseNode({}, nodes.toReversed()));
  });

  test('so that many pods are spread evenly', () => {
    const nodes = ['a', 'b', 'c'].map((name) => node(name));
    const counts = new Map<string, number>();
    for (let n = 0; n < 3000; n++) {
      const choice = chooseNode({}, nodes, `uid-${n}`);
      if ('nodeName' in choice) counts.set(choice.nodeName, (counts.get(choice.nodeName) ?? 0) + 1);
    }
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });
});

describe('the message for a pod that fits no node', () => {
  test.each<[string, Node[], string]>([
    ['no nodes', [], 'no nodes available to schedule pods'],
    [
      'a cordoned node',
      [node('a', { unschedulable: true })],
      `0/1 nodes are available: 1 node(s) were unschedulable. ${NO_USE(1)}`,
    ],
    [
      'several reasons',
      [node('a', { taints: [TAINT] }), node('b', { taints: [TAINT] }), node('c', {}, {}, 'Unknown'), node('d')],
      `0/4 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint {node.kubernetes.io/not-ready: }, 2 node(s) had untolerated taint {gpu: a}. ${NO_USE(4)}`,
    ],
  ])('%s', (_what, nodes, why) => {
    expect(chooseNode({ nodeSelector: { none: 'such' } }, nodes)).toEqual({ why });
  });
});
