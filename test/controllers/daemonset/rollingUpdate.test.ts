import { describe, expect, test } from 'vitest';
import { daemonNodes } from '../../../lambdas/controllers/daemonset/DaemonNodes.ts';
import { rollingUpdate } from '../../../lambdas/controllers/daemonset/rollingUpdate.ts';
import { updateBounds } from '../../../lambdas/controllers/daemonset/updateBounds.ts';
import { type PodTraits, storedDaemonSet, storedNode, storedPod } from '../../support/daemonSetFixtures.ts';

const NOW_MS = Date.parse('2026-01-01T00:10:00Z');
const rolling = (maxSurge: number | string, maxUnavailable: number | string) => ({
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
});

/** What each letter puts on a node: `o` an old available pod, `O` one that is not ready, `n` and `N` the same of the new revision, `d` one that is being deleted, `-` nothing. `!` before it: the node is tainted NoSchedule. */
const PODS: Readonly<Record<string, PodTraits>> = {
  o: { hash: 'old' },
  O: { hash: 'old', ready: false },
  n: {},
  N: { ready: false },
  d: { hash: 'old', deleting: true },
};

/** The nodes `1`, `2`, …, a word each: `on` has an old and a new pod. Returns the step as `delete 2` and `surge on 3`. */
function step(nodes: string, spec: Readonly<Record<string, unknown>>): string[] {
  const words = nodes.split(' ');
  const daemonSet = storedDaemonSet(spec);
  const pods = words.flatMap((word, nth) =>
    word.split('').flatMap((letter) => {
      const traits = PODS[letter];
      return traits ? [storedPod(`${nth + 1}${letter}`, String(nth + 1), traits)] : [];
    }),
  );
  const stored = words.map((word, nth) =>
    storedNode(String(nth + 1), {}, word.startsWith('!') ? { taints: [{ key: 'a', effect: 'NoSchedule' }] } : {}),
  );
  const world = {
    daemonSet,
    hash: 'new',
    nodes: daemonNodes(daemonSet, stored, pods),
    failedPods: undefined,
    nowMs: NOW_MS,
  };
  const { deletes, surgeOn } = rollingUpdate(world);
  return [
    ...deletes.map(
      ({ pod, onlyIfUnchanged }) => `delete ${pod.metadata.name}${onlyIfUnchanged ? ' if unchanged' : ''}`,
    ),
    ...surgeOn.map((node) => `surge on ${node}`),
  ];
}

type Row = readonly [string, nodes: string, Readonly<Record<string, unknown>>, expected: readonly string[]];

const IN_PLACE: readonly Row[] = [
  ['one old pod goes at a time', 'o o o', rolling(0, 1), ['delete 1o']],
  ['as many go as may be unavailable', 'o o o', rolling(0, 2), ['delete 1o', 'delete 2o']],
  ['none goes while a new pod is not available', 'N o o', rolling(0, 1), []],
  ['none goes while a pod is being deleted', 'd o o', rolling(0, 1), []],
  ['none goes while a node has no pod', '- o o', rolling(0, 1), []],
  ['the next goes when the new pod is available', 'n o o', rolling(0, 1), ['delete 2o']],
  [
    'a new pod that is ready, but not for long enough, counts as unavailable',
    'n o o',
    { ...rolling(0, 1), minReadySeconds: 601 },
    ['delete 2o if unchanged', 'delete 3o if unchanged'],
  ],
  [
    'old pods that are not available all go at once',
    'O O O o',
    rolling(0, 1),
    ['delete 1O if unchanged', 'delete 2O if unchanged', 'delete 3O if unchanged'],
  ],
  [
    'old pods that are not available count as unavailable',
    'O o o',
    rolling(0, 2),
    ['delete 1O if unchanged', 'delete 2o'],
  ],
  ['a node that must not get a new pod counts like any other', '!o o', rolling(0, 1), ['delete 1o']],
  ['a node with an old and a new pod counts as unavailable', 'on o', rolling(0, 1), []],
  ['a node with two old pods counts as unavailable', 'oo o', rolling(0, 1), []],
  ['percentages are rounded up', 'o o o o o', rolling(0, '25%'), ['delete 1o', 'delete 2o']],
  ['a percentage is one of the nodes that fit', 'o o !o !o', rolling(0, '50%'), ['delete 1o']],
  ['with both bounds 0, one may be unavailable', 'o o', rolling(0, 0), ['delete 1o']],
  ['nothing is left to do', 'n n', rolling(0, 1), []],
];

describe('a rolling update in place', () => {
  test.each(IN_PLACE)('%s: %s', (_, nodes, spec, expected) => {
    expect(step(nodes, spec)).toEqual(expected);
  });
});

const BY_SURGE: readonly Row[] = [
  ['one node at a time gets a new pod beside the old one', 'o o o', rolling(1, 0), ['surge on 1']],
  ['as many as the surge allows', 'o o o', rolling(2, 0), ['surge on 1', 'surge on 2']],
  ['none while a new pod is not available', 'oN o o', rolling(1, 0), []],
  [
    'the old pod goes when the new one is available, and the next node surges',
    'on o o',
    rolling(1, 0),
    ['delete 1o', 'surge on 2'],
  ],
  [
    'an old pod that is not available is replaced at once, whatever the surge',
    'O O oN',
    rolling(1, 0),
    ['surge on 1', 'surge on 2'],
  ],
  ['a node without an old pod needs nothing', 'N n -', rolling(1, 0), []],
  ['a node with two new pods takes up a surge', 'onn o', rolling(1, 0), []],
  ['minReadySeconds keep the old pod', 'on o', { ...rolling(1, 0), minReadySeconds: 601 }, ['surge on 2']],
  ['percentages are rounded up', 'o o o o o', rolling('25%', 0), ['surge on 1', 'surge on 2']],
  [
    'on a node that is not to have one, an old pod that is not available goes',
    '!O n',
    rolling(1, 0),
    ['delete 1O if unchanged'],
  ],
  ['on such a node an available pod stays until all other nodes have one', '!o N', rolling(1, 0), []],
  ['on such a node an available pod goes when all other nodes have one', '!o n', rolling(1, 0), ['delete 1o']],
  ['of such nodes no more pods go than there are available ones to spare', '!o !o N n', rolling(1, 0), ['delete 1o']],
];

describe('a rolling update by surge', () => {
  test.each(BY_SURGE)('%s: %s', (_, nodes, spec, expected) => {
    expect(step(nodes, spec)).toEqual(expected);
  });
});

test.each([
  [rolling(0, 1), 5, { maxSurge: 0, maxUnavailable: 1 }],
  [rolling('30%', 0), 10, { maxSurge: 3, maxUnavailable: 0 }],
  [rolling('1%', 0), 10, { maxSurge: 1, maxUnavailable: 0 }],
  [rolling(0, '100%'), 3, { maxSurge: 0, maxUnavailable: 3 }],
  [rolling(0, '10%'), 0, { maxSurge: 0, maxUnavailable: 0 }],
  [rolling(0, 0), 4, { maxSurge: 0, maxUnavailable: 1 }],
  [{ updateStrategy: { type: 'OnDelete' } }, 4, { maxSurge: 0, maxUnavailable: 0 }],
])('bounds of %j for %i nodes', (spec, desired, expected) => {
  expect(updateBounds(storedDaemonSet(spec), desired)).toEqual({ ...expected, desired });
});
