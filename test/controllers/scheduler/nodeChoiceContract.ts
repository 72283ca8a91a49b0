import { describe, expect, test } from 'vitest';
import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';
import { node as nodeOf } from './schedulerObjects.ts';

type NodeSpec = NonNullable<Node['spec']>;
type PodSpec = NonNullable<Pod['spec']>;

/** Returns the name of the node that a pod of this spec and UID gets, if any fits. */
type ChooseNodeName = (spec: Partial<PodSpec>, nodes: readonly Node[], uid: string) => string | undefined;

export const TAINT = { key: 'gpu', value: 'a', effect: 'NoSchedule' };

/** A node that takes any number of pods. */
export function node(name: string, spec: NodeSpec = {}, labels: Record<string, string> = {}, ready = 'True'): Node {
  return nodeOf(name, { spec, labels, ready, allocatable: { pods: '1000000' } });
}

function requires(key: string, operator: string, values: string[]): Partial<PodSpec> {
  const requiredDuringSchedulingIgnoredDuringExecution = {
    nodeSelectorTerms: [{ matchExpressions: [{ key, operator, values }] }],
  };
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution } } };
}

/** What holds for the choice of a node, whether all plugins or only those for plain pods make it. */
export function nodeChoiceContract(chooseNodeName: ChooseNodeName): void {
  describe('a pod goes to a node', () => {
    test.each<[string, Partial<PodSpec>, Node[]]>([
      [
        'that has the labels of its nodeSelector',
        { nodeSelector: { disk: 'ssd' } },
        [node('a'), node('b', {}, { disk: 'ssd' })],
      ],
      ['that is schedulable', {}, [node('a', { unschedulable: true }), node('b')]],
      ['that is ready', {}, [node('a', {}, {}, 'False'), node('b')]],
      [
        'whose taint it tolerates',
        { tolerations: [{ key: 'gpu', value: 'a' }] },
        [node('a', { unschedulable: true }), node('b', { taints: [TAINT] })],
      ],
      [
        'whose taint it tolerates by key',
        { tolerations: [{ key: 'gpu', operator: 'Exists' }] },
        [node('b', { taints: [TAINT] })],
      ],
      [
        'that its affinity requires',
        requires('zone', 'In', ['x']),
        [node('a', {}, { zone: 'y' }), node('b', {}, { zone: 'x' })],
      ],
      [
        'that has more than its affinity requires',
        requires('cores', 'Gt', ['8']),
        [node('a', {}, { cores: '8' }), node('b', {}, { cores: '16' })],
      ],
    ])('%s', (_promise, spec, nodes) => {
      expect(chooseNodeName(spec, nodes, 'u')).toBe('b');
    });

    test('that is always the same, in any order of the list', () => {
      const nodes = ['a', 'b', 'c'].map((name) => node(name));
      const chosen = chooseNodeName({}, nodes, 'u');
      expect(chosen).toEqual(expect.any(String));
      expect(chooseNodeName({}, nodes.toReversed(), 'u')).toBe(chosen);
    });

    test('so that many pods are spread evenly', () => {
      const nodes = ['a', 'b', 'c'].map((name) => node(name));
      const counts = new Map<string, number>();
      for (let n = 0; n < 3000; n++) {
        const chosen = chooseNodeName({}, nodes, `uid-${n}`) ?? '';
        counts.set(chosen, (counts.get(chosen) ?? 0) + 1);
      }
      expect([...counts.keys()].sort()).toEqual(['a', 'b', 'c']);
      for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(120);
    });
  });
}
