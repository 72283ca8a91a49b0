import type { Taint } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import { decideEvictionPermit } from '../../../lambdas/controllers/nodelifecycle/decideEvictionPermit.ts';
import { decideTaints } from '../../../lambdas/controllers/nodelifecycle/decideTaints.ts';
import type { Node } from '../../../lambdas/objects/kinds.ts';

const NOW = '2026-01-01T00:00:00Z';
const NOW_MS = Date.parse(NOW);
const taint = (text: string): Taint => {
  const [key = '', effect = ''] = text.split(':');
  return { key: key.includes('/') ? key : `node.kubernetes.io/${key}`, effect };
};
const shown = (taints: readonly Taint[]) =>
  taints.map(({ key, effect }) => `${key.replace('node.kubernetes.io/', '')}:${effect}`);

function nodeOf(
  name: string,
  ready: string,
  more: { taints?: Taint[]; zone?: string; unschedulable?: boolean } = {},
): Node {
  const labels = more.zone === undefined ? {} : { 'topology.kubernetes.io/zone': more.zone };
  const { taints = [], unschedulable } = more;
  return {
    metadata: { name, labels },
    spec: { taints, ...(unschedulable && { unschedulable }) },
    status: { conditions: [{ type: 'Ready', status: ready }] },
  } as unknown as Node;
}

describe('the taints of a node', () => {
  it.each([
    ['a ready node has none', 'True', [], 'allowed', []],
    [
      'one that is not ready keeps pods away and evicts them',
      'False',
      [],
      'allowed',
      ['not-ready:NoSchedule', 'not-ready:NoExecute'],
    ],
    ['one that is silent does the same', 'Unknown', [], 'allowed', ['unreachable:NoSchedule', 'unreachable:NoExecute']],
    ['it evicts none if that is not permitted now', 'Unknown', [], 'notNow', ['unreachable:NoSchedule']],
    [
      'a taint that evicts pods already changes with the condition',
      'Unknown',
      ['not-ready:NoSchedule', 'not-ready:NoExecute'],
      'notNow',
      ['unreachable:NoSchedule', 'unreachable:NoExecute'],
    ],
    [
      'it goes when no node of the cluster is ready',
      'Unknown',
      ['unreachable:NoExecute'],
      'forbidden',
      ['unreachable:NoSchedule'],
    ],
    [
      'a node that is ready again loses them, and keeps those of others',
      'True',
      ['example.com/gpu:NoExecute', 'unreachable:NoSchedule', 'unreachable:NoExecute'],
      'allowed',
      ['example.com/gpu:NoExecute'],
    ],
  ] as const)('%s', (_, ready, before, permit, after) => {
    expect(shown(decideTaints(nodeOf('n', ready, { taints: before.map(taint) }), permit, NOW))).toEqual(after);
  });

  it('stand for pressure and for a cordon, and say since when', () => {
    const node = nodeOf('n', 'True', { unschedulable: true });
    const conditions = [...(node.status?.conditions ?? []), { type: 'MemoryPressure', status: 'True' }];
    const taints = decideTaints({ ...node, status: { conditions } }, 'allowed', NOW);
    expect(shown(taints)).toEqual(['memory-pressure:NoSchedule', 'unschedulable:NoSchedule']);
    expect(taints.map(({ timeAdded }) => timeAdded)).toEqual([NOW, NOW]);
  });

  it('are the same array if nothing changes', () => {
    const node = nodeOf('n', 'False', { taints: ['not-ready:NoSchedule', 'not-ready:NoExecute'].map(taint) });
    expect(decideTaints(node, 'allowed', NOW)).toBe(node.spec?.taints);
  });
});

describe('the permission to evict pods of a node', () => {
  const some = (count: number, ready: string, more = {}) =>
    Array.from({ length: count }, (_, index) => nodeOf(`${ready}-${index}`, ready, more));
  const node = nodeOf('lost', 'Unknown');
  const justTainted = { taints: [{ ...taint('unreachable:NoExecute'), timeAdded: '2025-12-31T23:59:56Z' }] };

  it.each([
    ['one of three nodes is lost', [node, ...some(2, 'True')], { permit: 'allowed' }],
    ['no node is ready', [node, ...some(2, 'False')], { permit: 'forbidden' }],
    [
      'another node was tainted 4 s ago',
      [node, nodeOf('other', 'Unknown', justTainted), ...some(4, 'True')],
      { permit: 'notNow', retryInMs: 6_000 },
    ],
    ['most nodes of a small zone are lost', [node, ...some(3, 'Unknown'), ...some(2, 'True')], { permit: 'notNow' }],
    ['most nodes of a large zone are lost', [node, ...some(40, 'Unknown'), ...some(20, 'True')], { permit: 'allowed' }],
    [
      'and one of them was tainted 4 s ago',
      [node, nodeOf('other', 'Unknown', justTainted), ...some(40, 'Unknown'), ...some(20, 'True')],
      { permit: 'notNow', retryInMs: 96_000 },
    ],
    ['the other zone is lost', [node, ...some(1, 'True'), ...some(9, 'Unknown', { zone: 'b' })], { permit: 'allowed' }],
  ])('%s', (_, nodes, decision) => {
    expect(decideEvictionPermit(node, nodes, NOW_MS)).toEqual(decision);
  });
});
