import { describe, expect, test } from 'vitest';
import { daemonNodes } from '../../../lambdas/controllers/daemonset/DaemonNodes.ts';
import { BURST_REPLICAS, manageDaemons } from '../../../lambdas/controllers/daemonset/manageDaemons.ts';
import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';
import { storedDaemonSet, storedNode, storedPod } from '../../support/daemonSetFixtures.ts';

const NOW_MS = Date.parse('2026-01-01T00:10:00Z');
const SURGE = { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } };
const ON_DELETE = { updateStrategy: { type: 'OnDelete' } };
const NODE = storedNode('node-1');
const NO_SCHEDULE = storedNode('node-1', {}, { taints: [{ key: 'a', effect: 'NoSchedule' }] });
const NO_EXECUTE = storedNode('node-1', {}, { taints: [{ key: 'a', effect: 'NoExecute' }] });

interface Given {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly nodes?: readonly Node[];
  readonly pods?: readonly Pod[];
  /** The last failed pod of node-1 was deleted so many seconds ago, and the next one stays for so many. */
  readonly backoff?: readonly [agoSeconds: number, delaySeconds: number];
  readonly generation?: number;
}

function decide({ spec, nodes = [NODE], pods = [], backoff, generation = 0 }: Given) {
  const daemonSet = storedDaemonSet(spec);
  const remembered = backoff && [{ node: 'node-1', delayMs: backoff[1] * 1_000, atMs: NOW_MS - backoff[0] * 1_000 }];
  const failedPods = remembered && { generation, nodes: remembered };
  const world = { daemonSet, hash: 'new', nodes: daemonNodes(daemonSet, nodes, pods), failedPods, nowMs: NOW_MS };
  return manageDaemons(world);
}

/** `create on node-1`, `delete a: excess`. */
function texts(given: Given): string[] {
  const { creates, deletes } = decide(given);
  return [
    ...creates.map((node) => `create on ${node}`),
    ...deletes.map(
      ({ pod, cause, onlyIfUnchanged }) =>
        `delete ${pod.metadata.name}: ${cause}${onlyIfUnchanged ? ', if unchanged' : ''}`,
    ),
  ];
}

const TABLE: readonly [string, Given, readonly string[]][] = [
  ['a node without a pod gets one', {}, ['create on node-1']],
  ['a node with its pod needs nothing', { pods: [storedPod('a', 'node-1')] }, []],
  [
    'a pod that is meant for the node counts before it is bound',
    { pods: [storedPod('a', 'node-1', { unbound: true, phase: 'Pending' })] },
    [],
  ],
  [
    'there is no second pod beside one that is still being deleted',
    { pods: [storedPod('a', 'node-1', { deleting: true })] },
    [],
  ],
  [
    'one that has ended and is being deleted is not waited for',
    { pods: [storedPod('a', 'node-1', { deleting: true, phase: 'Failed' })] },
    ['create on node-1'],
  ],
  [
    'of several pods the oldest stays',
    {
      pods: [
        storedPod('a', 'node-1', { at: 9 }),
        storedPod('b', 'node-1', { at: 3 }),
        storedPod('c', 'node-1', { at: 5 }),
      ],
    },
    ['delete c: excess', 'delete a: excess'],
  ],
  [
    'of several pods an available one stays, though it is younger',
    { pods: [storedPod('a', 'node-1', { ready: false }), storedPod('b', 'node-1', { at: 3 })] },
    ['delete a: excess, if unchanged'],
  ],
  [
    'of several pods one that is bound stays',
    { pods: [storedPod('a', 'node-1', { at: 9 }), storedPod('b', 'node-1', { at: 3, unbound: true })] },
    ['delete b: excess'],
  ],
  [
    'of pods of the same age the first by name stays',
    { pods: [storedPod('b', 'node-1'), storedPod('a', 'node-1')] },
    ['delete b: excess'],
  ],
  ['a failed pod is deleted', { pods: [storedPod('a', 'node-1', { phase: 'Failed' })] }, ['delete a: failed']],
  ['a succeeded pod is deleted', { pods: [storedPod('a', 'node-1', { phase: 'Succeeded' })] }, ['delete a: succeeded']],
  [
    'a failed pod does not stand for the running one',
    { pods: [storedPod('a', 'node-1', { phase: 'Failed' }), storedPod('b', 'node-1')] },
    ['delete a: failed'],
  ],
  [
    'a failed pod stays while its node backs off',
    { pods: [storedPod('a', 'node-1', { phase: 'Failed' })], backoff: [3, 4] },
    [],
  ],
  [
    'a failed pod is deleted when the time is over',
    { pods: [storedPod('a', 'node-1', { phase: 'Failed' })], backoff: [4, 4] },
    ['delete a: failed'],
  ],
  [
    'a new generation does not back off',
    { pods: [storedPod('a', 'node-1', { phase: 'Failed' })], backoff: [3, 4], generation: 9 },
    ['delete a: failed'],
  ],
  [
    'of two failed pods of a node the second waits',
    { pods: [storedPod('a', 'node-1', { phase: 'Failed' }), storedPod('b', 'node-1', { phase: 'Failed' })] },
    ['delete a: failed'],
  ],
  [
    'succeeded pods do not back off',
    { pods: [storedPod('a', 'node-1', { phase: 'Succeeded' })], backoff: [3, 4] },
    ['delete a: succeeded'],
  ],
  ['a node that must not have one gets none', { nodes: [NO_SCHEDULE] }, []],
  ['a pod stays when its node is tainted NoSchedule', { nodes: [NO_SCHEDULE], pods: [storedPod('a', 'node-1')] }, []],
  [
    'a failed pod on such a node is deleted',
    { nodes: [NO_SCHEDULE], pods: [storedPod('a', 'node-1', { phase: 'Failed' })] },
    ['delete a: failed'],
  ],
  [
    'a pod goes when its node is tainted NoExecute',
    { nodes: [NO_EXECUTE], pods: [storedPod('a', 'node-1')] },
    ['delete a: misplaced'],
  ],
  [
    'one that goes already is not deleted again',
    { nodes: [NO_EXECUTE], pods: [storedPod('a', 'node-1', { deleting: true })] },
    [],
  ],
  [
    'a pod that waits for a node that is gone goes',
    { pods: [storedPod('a', 'node-1'), storedPod('b', 'node-9', { unbound: true })] },
    ['delete b: misplaced'],
  ],
  [
    'a pod on a node that is gone is left to the pod garbage collector',
    { spec: ON_DELETE, pods: [storedPod('a', 'node-1'), storedPod('b', 'node-9')] },
    [],
  ],
  ['with OnDelete an old pod stays', { spec: ON_DELETE, pods: [storedPod('a', 'node-1', { hash: 'old' })] }, []],
  [
    'with OnDelete a pod that somebody deletes makes room for a new one',
    { spec: ON_DELETE, pods: [] },
    ['create on node-1'],
  ],
  [
    'a rolling update waits until each node has what it is to have',
    { nodes: [NODE, storedNode('node-2')], pods: [storedPod('a', 'node-1', { hash: 'old' })] },
    ['create on node-2'],
  ],
];

describe('without a surge', () => {
  test.each(TABLE)('%s', (_, given, expected) => {
    expect(texts(given)).toEqual(expected);
  });
});

const old = (name: string, traits = {}) => storedPod(name, 'node-1', { hash: 'old', ...traits });
const SURGING: readonly [string, Given, readonly string[]][] = [
  ['a node without a pod gets one', {}, ['create on node-1']],
  [
    'a new pod does not wait until the one that is being deleted is gone',
    { pods: [old('a', { deleting: true })] },
    ['create on node-1'],
  ],
  [
    'a node that must not have one gets none beside one that is being deleted',
    { nodes: [NO_SCHEDULE], pods: [old('a', { deleting: true })] },
    [],
  ],
  [
    'an old pod stays beside a new one that is not ready',
    { pods: [old('a'), storedPod('b', 'node-1', { ready: false })] },
    [],
  ],
  [
    'an old pod that is not ready goes',
    { pods: [old('a', { ready: false }), storedPod('b', 'node-1', { ready: false })] },
    ['delete a: outdatedUnavailable, if unchanged'],
  ],
  [
    'an old pod goes when the new one is available',
    { pods: [old('a'), storedPod('b', 'node-1')] },
    ['delete a: outdated'],
  ],
  [
    'an old pod stays until the new one has been ready for minReadySeconds',
    { spec: { minReadySeconds: 700 }, pods: [old('a'), storedPod('b', 'node-1')] },
    [],
  ],
  [
    'an old pod goes when the new one has been ready for minReadySeconds',
    { spec: { minReadySeconds: 600 }, pods: [old('a'), storedPod('b', 'node-1')] },
    ['delete a: outdated'],
  ],
  [
    'of two new pods the older one stays',
    { pods: [storedPod('a', 'node-1', { at: 2 }), storedPod('b', 'node-1')] },
    ['delete a: excess'],
  ],
  [
    'of two old pods the older one stays beside the new one',
    { pods: [old('a', { at: 2 }), old('b'), storedPod('c', 'node-1', { ready: false })] },
    ['delete a: excess'],
  ],
  [
    'of two old pods an available one stays, though it is younger',
    { pods: [old('a', { ready: false }), old('b', { at: 2 })] },
    ['delete a: excess, if unchanged'],
  ],
  [
    'a failed pod makes room and gets a successor at once',
    { pods: [storedPod('a', 'node-1', { phase: 'Failed' })] },
    ['create on node-1', 'delete a: failed'],
  ],
  [
    'a failed pod that stays keeps its successor away',
    { pods: [storedPod('a', 'node-1', { phase: 'Failed' })], backoff: [3, 4] },
    [],
  ],
];

describe('with a surge', () => {
  test.each(SURGING)('%s', (_, given, expected) => {
    expect(texts({ spec: SURGE, ...given, ...(given.spec && { spec: { ...SURGE, ...given.spec } }) })).toEqual(
      expected,
    );
  });
});

test('a failed pod that stays is looked at when its time is over', () => {
  const pods = [storedPod('a', 'node-1', { phase: 'Failed' })];
  expect(decide({ pods, backoff: [1, 4] }).retryInMs).toBe(3_000);
});

test.each([
  [undefined, 1_000],
  [[4, 4], 8_000],
  [[10_000, 600], 1_000],
  [[1_000, 900], 15 * 60_000],
] as const)('a failed pod deleted after %j makes the next one wait for %i ms', (backoff, delayMs) => {
  const pods = [storedPod('a', 'node-1', { phase: 'Failed' })];
  const { deletes } = decide({ pods, ...(backoff && { backoff }) });
  expect(deletes.map((one) => one.backoff)).toEqual([{ node: 'node-1', delayMs, atMs: NOW_MS }]);
});

test('a sync creates so many pods at most, and the next one goes on', () => {
  const nodes = Array.from({ length: BURST_REPLICAS + 1 }, (_, nth) => storedNode(`node-${nth}`));
  const { creates, lookAgain } = decide({ nodes });
  expect([creates.length, lookAgain]).toEqual([BURST_REPLICAS, true]);
});
