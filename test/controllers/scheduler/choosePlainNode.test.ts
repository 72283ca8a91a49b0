import { describe, expect, test } from 'vitest';
import { choosePlainNode } from '../../../lambdas/controllers/scheduler/choosePlainNode.ts';
import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';

type NodeSpec = NonNullable<Node['spec']>;
const meta = (name: string) => ({ name, uid: name, resourceVersion: '1', creationTimestamp: '' });

function node(name: string, spec: NodeSpec = {}, labels: Record<string, string> = {}, ready = 'True'): Node {
  const status = { conditions: [{ type: 'Ready', status: ready }], allocatable: { pods: '1000000' } };
  return { apiVersion: 'v1', kind: 'Node', metadata: { ...meta(name), labels }, spec, status };
}

function pod(spec: Partial<NonNullable<Pod['spec']>> = {}, uid = 'u'): Pod {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...meta('web'), uid }, spec: { containers: [], ...spec } };
}

const TAINT = { key: 'gpu', value: 'a', effect: 'NoSchedule' };
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
  test.each<[string, Partial<NonNullable<Pod['spec']>>, Node[], string]>([
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
    expect(choosePlainNode(pod(spec), nodes)?.metadata.name).toBe(nodeName);
  });

  test('that is always the same, in any order of the list', () => {
    const nodes = ['a', 'b', 'c'].map((name) => node(name));
    expect(choosePlainNode(pod(), nodes)).toBe(choosePlainNode(pod(), nodes.toReversed()));
  });

  test('so that many pods are spread evenly', () => {
    const nodes = ['a', 'b', 'c'].map((name) => node(name));
    const counts = new Map<string, number>();
    for (let n = 0; n < 3000; n++) {
      const chosen = choosePlainNode(pod({}, `uid-${n}`), nodes)?.metadata.name ?? '';
      counts.set(chosen, (counts.get(chosen) ?? 0) + 1);
    }
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });
});

describe('the scheduler chooses', () => {
  const nodes = [node('a'), node('b')];
  test.each<[string, readonly Node[]]>([
    ['no node fits', nodes.map(({ metadata }) => node(metadata.name, { unschedulable: true }))],
    ['there are no nodes', []],
    ['a node prefers other pods', [...nodes, node('c', { taints: [{ ...TAINT, effect: 'PreferNoSchedule' }] })]],
    ['a node takes only so many pods', [...nodes, { ...node('c'), status: { allocatable: { pods: '110' } } }]],
  ])('if %s', (_what, given) => {
    expect(choosePlainNode(pod(), given)).toBeUndefined();
  });
});
