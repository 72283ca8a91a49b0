import { describe, expect, test } from 'vitest';
import { choosePlainNode } from '../../../lambdas/controllers/scheduler/choosePlainNode.ts';
import type { Node } from '../../../lambdas/objects/kinds.ts';
import { node, nodeChoiceContract, TAINT } from './nodeChoiceContract.ts';
import { pod } from './schedulerObjects.ts';

nodeChoiceContract((spec, nodes, uid) => choosePlainNode(pod(uid, { spec }), nodes)?.metadata.name);

describe('the scheduler chooses', () => {
  const nodes = [node('a'), node('b')];
  test.each<[string, readonly Node[]]>([
    ['no node fits', nodes.map(({ metadata }) => node(metadata.name, { unschedulable: true }))],
    ['there are no nodes', []],
    ['a node prefers other pods', [...nodes, node('c', { taints: [{ ...TAINT, effect: 'PreferNoSchedule' }] })]],
    ['a node takes only so many pods', [...nodes, { ...node('c'), status: { allocatable: { pods: '110' } } }]],
  ])('if %s', (_what, given) => {
    expect(choosePlainNode(pod('u'), given)).toBeUndefined();
  });
});
