import type { PodStatus } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';
import { sortActivePodsWithRanks } from '../../../lambdas/controllers/replicaset/getPodsToDelete.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const facts = (related: readonly Pod[], minReadySeconds = 0) => ({ related, minReadySeconds, nowMs: NOW });
const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();

interface PodFacts {
  readonly node?: string;
  readonly phase?: string;
  /** Seconds since it became ready; absent: it is not. */
  readonly readyFor?: number;
  readonly cost?: string;
  readonly restarts?: number;
  readonly sidecarRestarts?: number;
  readonly age?: number;
  readonly deleting?: boolean;
}

function pod(uid: string, facts: PodFacts): Pod {
  const { node = 'node-1', phase = 'Running', readyFor, cost, restarts = 0, sidecarRestarts = 0, age = 1000 } = facts;
  const status = {
    phase,
    conditions: readyFor === undefined ? [] : [{ type: 'Ready', status: 'True', lastTransitionTime: ago(readyFor) }],
    containerStatuses: [{ name: 'main', restartCount: restarts }],
    initContainerStatuses: [
      { name: 'side', restartCount: sidecarRestarts },
      { name: 'init', restartCount: 9 },
    ],
  } as PodStatus;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: uid,
      uid,
      resourceVersion: '1',
      creationTimestamp: ago(age),
      ...(cost !== undefined && { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } }),
      ...(facts.deleting && { deletionTimestamp: ago(0) }),
    },
    spec: {
      nodeName: node,
      containers: [],
      initContainers: [{ name: 'side', restartPolicy: 'Always' }, { name: 'init' }],
    },
    status,
  };
}

/** Each row: the one that goes first, then the one that stays; with UIDs in either order. */
const RULES: readonly (readonly [rule: string, first: PodFacts, second: PodFacts])[] = [
  ['without a node before with one', { node: '', readyFor: 500 }, { readyFor: 5 }],
  ['Pending before Unknown', { phase: 'Pending' }, { phase: 'Unknown' }],
  ['Unknown before Running', { phase: 'Unknown', readyFor: 500 }, { phase: 'Running' }],
  ['not ready before ready', { age: 1e6 }, { readyFor: 1, age: 1 }],
  ['a lower deletion cost before a higher', { readyFor: 1e6, cost: '-10' }, { readyFor: 1, cost: '5' }],
  ['no deletion cost counts as 0', { readyFor: 1e6 }, { readyFor: 1, cost: '1' }],
  ['a negative cost before none', { readyFor: 1e6, cost: '-2147483648' }, { readyFor: 1 }],
  ['a cost that is no int32 counts as 0', { readyFor: 1, cost: '2147483648' }, { readyFor: 1e6 }],
  ['a cost with a plus counts as 0', { readyFor: 1, cost: '+5' }, { readyFor: 1e6 }],
  ['a cost with a leading zero counts as 0', { readyFor: 1, cost: '05' }, { readyFor: 1e6 }],
  ['ready for a shorter time before longer', { readyFor: 10, restarts: 0 }, { readyFor: 1000, restarts: 9 }],
  ['more restarts before fewer', { readyFor: 10, restarts: 3 }, { readyFor: 10, restarts: 2 }],
  [
    'more restarts of sidecars before fewer',
    { readyFor: 10, sidecarRestarts: 3 },
    { readyFor: 10, sidecarRestarts: 2 },
  ],
  ['restarts of ended init containers do not count, age does', { readyFor: 10, age: 10 }, { readyFor: 10, age: 1000 }],
  ['younger before older', { readyFor: 10, age: 20 }, { readyFor: 10, age: 2000 }],
];

describe('of two pods, the first to be deleted is the one', () => {
  test.each(RULES)('%s', (_rule, first, second) => {
    for (const [goes, stays] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const pods = [pod(stays, second), pod(goes, first)];
      expect(sortActivePodsWithRanks(pods, facts([])).map(({ metadata }) => metadata.uid)).toEqual([goes, stays]);
    }
  });
});

describe('with minReadySeconds, of two ready pods the first to be deleted is the one that is not yet available', () => {
  test.each<[string, PodFacts, PodFacts]>([
    ['although its deletion cost is higher', { readyFor: 10, cost: '100' }, { readyFor: 300, cost: '-100' }],
    ['although it is alone on its node', { readyFor: 10, node: 'node-2' }, { readyFor: 300 }],
    ['although both times have one order of magnitude', { readyFor: 299 }, { readyFor: 300 }],
    ['although the other restarts again and again', { readyFor: 299 }, { readyFor: 300, restarts: 9 }],
  ])('%s', (_rule, first, second) => {
    for (const [goes, stays] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const pods = [pod(stays, second), pod(goes, first), pod('c', { readyFor: 300, cost: '200' })];
      const [gone] = sortActivePodsWithRanks(pods, facts(pods, 300));
      expect(gone?.metadata.uid).toBe(goes);
    }
  });

  test('a pod that is not ready goes before one that is not yet available', () => {
    const pods = [pod('a', { readyFor: 10, cost: '-100' }), pod('b', {})];
    expect(sortActivePodsWithRanks(pods, facts(pods, 300))[0]?.metadata.uid).toBe('b');
  });
});

describe('times are compared by their order of magnitude', () => {
  test.each([
    ['ready times in one power of two go by UID', { readyFor: 1000 }, { readyFor: 1040 }],
    ['ages in one power of two go by UID', { readyFor: 10, age: 1000 }, { readyFor: 10, age: 1040 }],
  ])('%s', (_rule, younger, older) => {
    const order = (pods: Pod[]) => sortActivePodsWithRanks(pods, facts([])).map(({ metadata }) => metadata.uid);
    expect(order([pod('b', younger), pod('a', older)])).toEqual(['a', 'b']);
    expect(order([pod('a', younger), pod('b', older)])).toEqual(['a', 'b']);
  });

  test('a time in the future counts as the youngest of all', () => {
    const pods = [pod('a', { readyFor: 1 }), pod('b', { readyFor: -30 })];
    expect(sortActivePodsWithRanks(pods, facts([])).map(({ metadata }) => metadata.uid)).toEqual(['b', 'a']);
  });
});

describe('spreading over nodes', () => {
  const own = [
    pod('a', { node: 'n1', readyFor: 10 }),
    pod('b', { node: 'n2', readyFor: 1000 }),
    pod('c', { node: 'n2', readyFor: 1000 }),
  ];

  test('deletes a pod on the node that has most of them, although it was ready longer', () => {
    expect(sortActivePodsWithRanks(own, facts(own))[0]?.metadata.uid).toBe('b');
  });

  test('counts the pods of related replica sets', () => {
    const related = [...own, pod('x', { node: 'n1' }), pod('y', { node: 'n1' })];
    expect(sortActivePodsWithRanks(own, facts(related))[0]?.metadata.uid).toBe('a');
  });

  test('does not count related pods that ended or are being deleted', () => {
    const related = [...own, pod('x', { node: 'n1', phase: 'Failed' }), pod('y', { node: 'n1', deleting: true })];
    expect(sortActivePodsWithRanks(own, facts(related))[0]?.metadata.uid).toBe('b');
  });
});
