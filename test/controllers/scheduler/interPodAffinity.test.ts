import { describe, expect, test } from 'vitest';
import { schedulePod } from '../../../lambdas/controllers/scheduler/schedulePod.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { cluster, info, node, placeOf, pod, type PodParts } from './schedulerObjects.ts';

const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';
const NODES = [
  node('a1', { labels: { [ZONE]: 'a' } }),
  node('a2', { labels: { [ZONE]: 'a' } }),
  node('b1', { labels: { [ZONE]: 'b' } }),
];
const NAMESPACES = { default: {}, other: { team: 'blue' } };

type Term = Readonly<Record<string, unknown>>;
const app = (name: string, topologyKey = HOST, more: Term = {}): Term => ({
  labelSelector: { matchLabels: { app: name } },
  topologyKey,
  ...more,
});
const required = (member: 'podAffinity' | 'podAntiAffinity', ...terms: Term[]): NonNullable<PodParts['spec']> => ({
  affinity: { [member]: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
});
const preferred = (
  member: 'podAffinity' | 'podAntiAffinity',
  weight: number,
  term: Term,
): NonNullable<PodParts['spec']> => ({
  affinity: { [member]: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight, podAffinityTerm: term }] } },
});

function labelled(
  name: string,
  on: string,
  labels: Record<string, string>,
  spec: NonNullable<PodParts['spec']> = {},
  namespace = 'default',
): Pod {
  return pod(name, { namespace, labels, spec: { ...spec, nodeName: on } });
}

/** The nodes that a pod may go to: with each of them alone left schedulable, whether it goes there. */
function places(parts: PodParts, pods: readonly Pod[]): string {
  const fits = NODES.filter(({ metadata }) => {
    const nodes = NODES.map((one) =>
      one.metadata.name === metadata.name ? one : { ...one, spec: { unschedulable: true } },
    );
    return schedulePod(info('new', parts), cluster(nodes, pods, NAMESPACES)).decision === 'bind';
  });
  return fits.map(({ metadata }) => metadata.name).join(' ');
}

const WEB = labelled('web', 'a1', { app: 'web' });

describe('a pod may go', () => {
  test.each<[string, PodParts, readonly Pod[], string]>([
    ['beside the pod that it requires', { spec: required('podAffinity', app('web')) }, [WEB], 'a1'],
    ['into the zone of the pod that it requires', { spec: required('podAffinity', app('web', ZONE)) }, [WEB], 'a1 a2'],
    ['nowhere without the pod that it requires', { spec: required('podAffinity', app('db')) }, [WEB], ''],
    [
      'anywhere as the first of its group',
      { labels: { app: 'db' }, spec: required('podAffinity', app('db')) },
      [WEB],
      'a1 a2 b1',
    ],
    [
      'beside its group, once there is one',
      { labels: { app: 'web' }, spec: required('podAffinity', app('web')) },
      [WEB],
      'a1',
    ],
    [
      'where all that it requires are near',
      { spec: required('podAffinity', app('web', ZONE), app('web')) },
      [WEB],
      'a1',
    ],
    [
      'nowhere if no node has the label of the place',
      { labels: { app: 'web' }, spec: required('podAffinity', app('web', 'rack')) },
      [],
      '',
    ],
    ['anywhere but beside the pod that it avoids', { spec: required('podAntiAffinity', app('web')) }, [WEB], 'a2 b1'],
    ['out of the zone of the pod that it avoids', { spec: required('podAntiAffinity', app('web', ZONE)) }, [WEB], 'b1'],
    [
      'anywhere if the pod that it avoids has ended',
      { spec: required('podAntiAffinity', app('web')) },
      [{ ...WEB, status: { phase: 'Failed' } }],
      'a1 a2 b1',
    ],
    [
      'away from a pod that avoids it',
      { labels: { app: 'new' } },
      [labelled('shy', 'a1', {}, required('podAntiAffinity', app('new', ZONE)))],
      'b1',
    ],
    [
      'beside a pod of another namespace that it does not mean',
      { spec: required('podAntiAffinity', app('web')) },
      [labelled('web', 'a1', { app: 'web' }, {}, 'other')],
      'a1 a2 b1',
    ],
    [
      'away from a pod of a namespace that it names',
      { spec: required('podAntiAffinity', app('web', HOST, { namespaces: ['other'] })) },
      [labelled('web', 'a1', { app: 'web' }, {}, 'other')],
      'a2 b1',
    ],
    [
      'away from a pod of a namespace with these labels',
      { spec: required('podAntiAffinity', app('web', HOST, { namespaceSelector: { matchLabels: { team: 'blue' } } })) },
      [labelled('web', 'a1', { app: 'web' }, {}, 'other')],
      'a2 b1',
    ],
    [
      'away from a pod of any namespace',
      { spec: required('podAntiAffinity', app('web', HOST, { namespaceSelector: {} })) },
      [labelled('web', 'a1', { app: 'web' }, {}, 'other'), labelled('w2', 'b1', { app: 'web' })],
      'a2',
    ],
    [
      'beside a pod of another version',
      {
        labels: { app: 'web', v: '2' },
        spec: required('podAntiAffinity', app('web', HOST, { matchLabelKeys: ['v'] })),
      },
      [labelled('old', 'a1', { app: 'web', v: '1' }), labelled('same', 'b1', { app: 'web', v: '2' })],
      'a1 a2',
    ],
    [
      'away from pods of other versions',
      { labels: { v: '2' }, spec: required('podAntiAffinity', app('web', HOST, { mismatchLabelKeys: ['v'] })) },
      [labelled('old', 'a1', { app: 'web', v: '1' }), labelled('same', 'b1', { app: 'web', v: '2' })],
      'a2 b1',
    ],
  ])('%s', (_where, parts, pods, expected) => {
    expect(places(parts, pods)).toBe(expected);
  });
});

test.each<[string, PodParts, readonly Pod[]]>([
  ["3 node(s) didn't match pod affinity rules", { spec: required('podAffinity', app('db')) }, []],
  [
    "3 node(s) didn't match pod anti-affinity rules",
    { spec: required('podAntiAffinity', app('web', ZONE)) },
    [WEB, labelled('w2', 'b1', { app: 'web' })],
  ],
  [
    "3 node(s) didn't satisfy existing pods anti-affinity rules",
    { labels: { app: 'new' } },
    ['a1', 'a2', 'b1'].map((on) => labelled(on, on, {}, required('podAntiAffinity', app('new')))),
  ],
])('it says: %s', (why, parts, pods) => {
  const decided = schedulePod(info('new', parts), cluster(NODES, pods, NAMESPACES));
  expect(decided).toMatchObject({ waitsFor: ['InterPodAffinity'] });
  expect(placeOf(decided)).toContain(`0/3 nodes are available: ${why}.`);
});

/** The node that is best, if all other things are equal: the nodes are large, and hold few pods. */
function best(parts: PodParts, pods: readonly Pod[]): string {
  const nodes = NODES.map((one) => ({
    ...one,
    status: { ...one.status, allocatable: { pods: '110', cpu: '10000', memory: '10000Gi' } },
  }));
  const decided = schedulePod(info('new', parts), cluster(nodes, pods, NAMESPACES));
  return placeOf(decided);
}

describe('the best node is', () => {
  test.each<[string, PodParts, readonly Pod[], string]>([
    [
      'the one with the pod that it prefers',
      { spec: preferred('podAffinity', 1, app('web')) },
      [labelled('web', 'a2', { app: 'web' })],
      'a2',
    ],
    [
      'the one without those that it would rather avoid',
      { spec: preferred('podAntiAffinity', 1, app('web', ZONE)) },
      [WEB],
      'b1',
    ],
    [
      'the one whose pod prefers it',
      { labels: { app: 'new' } },
      [labelled('x', 'b1', {}, preferred('podAffinity', 5, app('new')))],
      'b1',
    ],
    [
      'the one whose pod would not rather avoid it',
      { labels: { app: 'new' } },
      [labelled('x', 'a1', {}, preferred('podAntiAffinity', 5, app('new', ZONE)))],
      'b1',
    ],
    [
      'the one whose pod requires it',
      { labels: { app: 'new' } },
      [labelled('x', 'a2', {}, required('podAffinity', app('new')))],
      'a2',
    ],
  ])('%s', (_what, parts, pods, expected) => {
    expect(best(parts, pods)).toBe(expected);
  });
});
