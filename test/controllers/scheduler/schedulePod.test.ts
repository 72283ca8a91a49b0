import { describe, expect, test } from 'vitest';
import { schedulePod } from '../../../lambdas/controllers/scheduler/schedulePod.ts';
import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';
import { node, nodeChoiceContract, TAINT } from './nodeChoiceContract.ts';
import { cluster, info, placeOf } from './schedulerObjects.ts';

type PodSpec = NonNullable<Pod['spec']>;

function chooseNode(spec: Partial<PodSpec>, nodes: readonly Node[], uid = 'u') {
  const decided = schedulePod(info(uid, { spec }), cluster(nodes));
  return decided.decision === 'wait' ? { why: decided.message } : { nodeName: placeOf(decided) };
}

const NO_USE = (total: number) =>
  `preemption: 0/${total} nodes are available: ${total} Preemption is not helpful for scheduling.`;

nodeChoiceContract((spec, nodes, uid) => chooseNode(spec, nodes, uid).nodeName);

test('a pod goes to a node whose taint only prefers others', () => {
  const nodes = [node('b', { taints: [{ ...TAINT, effect: 'PreferNoSchedule' }] })];
  expect(chooseNode({}, nodes)).toEqual({ nodeName: 'b' });
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
