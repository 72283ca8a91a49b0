import { describe, expect, test } from 'vitest';
import { schedulePod } from '../../../lambdas/controllers/scheduler/schedulePod.ts';
import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';
import { cluster, info, node, placeOf, pod, type PodParts } from './schedulerObjects.ts';

const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';
const LARGE = { cpu: '10000', memory: '10000Gi' };
const zoned = (name: string, zone: string, spec: NonNullable<Node['spec']> = {}) =>
  node(name, { labels: { [ZONE]: zone }, allocatable: LARGE, spec });
const NODES = [zoned('a1', 'a'), zoned('a2', 'a'), zoned('b1', 'b')];
const APP = { app: 'web' };

const spread = (topologyKey: string, more: object = {}, whenUnsatisfiable = 'DoNotSchedule') => ({
  maxSkew: 1,
  topologyKey,
  whenUnsatisfiable,
  labelSelector: { matchLabels: APP },
  ...more,
});
const web = (...constraints: ReturnType<typeof spread>[]): PodParts => ({
  labels: APP,
  spec: { topologySpreadConstraints: constraints },
});
/** So many matching pods on each of these nodes. */
const held = (counts: Readonly<Record<string, number>>, more: PodParts = {}): Pod[] =>
  Object.entries(counts).flatMap(([on, count]) =>
    Array.from({ length: count }, (_, n) => pod(`${on}-${n}`, { labels: APP, ...more, on })),
  );

/** The nodes that the pod may go to. */
function places(parts: PodParts, pods: readonly Pod[], nodes: readonly Node[] = NODES): string {
  const fits = nodes.filter(({ metadata }) => {
    const others = nodes
      .filter((one) => one.metadata.name !== metadata.name)
      .map((one) => ({ ...one, spec: { ...one.spec, unschedulable: true } }));
    const mine = nodes.filter((one) => one.metadata.name === metadata.name);
    return schedulePod(info('new', parts), cluster([...mine, ...others], pods)).decision === 'bind';
  });
  return fits.map(({ metadata }) => metadata.name).join(' ');
}

describe('a pod may go', () => {
  const tainted = zoned('c1', 'c', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] });
  test.each<[string, PodParts, readonly Pod[], string, (readonly Node[])?]>([
    ['anywhere while there are none', web(spread(ZONE)), [], 'a1 a2 b1'],
    ['into the zone with fewer', web(spread(ZONE)), held({ a1: 1 }), 'b1'],
    ['anywhere if the skew stays small enough', web(spread(ZONE, { maxSkew: 2 })), held({ a1: 1 }), 'a1 a2 b1'],
    ['to the nodes with fewer', web(spread(HOST)), held({ a1: 2, a2: 1, b1: 2 }), 'a2'],
    ['where both constraints allow it', web(spread(ZONE), spread(HOST)), held({ a1: 1, b1: 1 }), 'a2'],
    [
      'anywhere if it is not one of those that are spread',
      { ...web(spread(ZONE)), labels: {} },
      held({ a1: 1 }),
      'a1 a2 b1',
    ],
    ['regardless of pods of another namespace', web(spread(ZONE)), held({ a1: 5 }, { namespace: 'other' }), 'a1 a2 b1'],
    [
      'regardless of pods of another version',
      { ...web(spread(ZONE, { matchLabelKeys: ['v'] })), labels: { ...APP, v: '2' } },
      held({ a1: 1 }, { labels: { ...APP, v: '1' } }),
      'a1 a2 b1',
    ],
    [
      'not beside others if there are fewer places than wanted',
      web(spread(ZONE, { minDomains: 3 })),
      held({ a1: 1, b1: 1 }),
      '',
    ],
    ['to no node without the label', web(spread('rack')), [], ''],
    [
      'where its affinity allows it, and only such nodes count',
      { ...web(spread(ZONE)), spec: { ...web(spread(ZONE)).spec, nodeSelector: { [ZONE]: 'a' } } },
      held({ a1: 3 }),
      'a1 a2',
    ],
    [
      'nowhere if nodes count that its affinity forbids',
      {
        ...web(spread(ZONE)),
        spec: { ...web(spread(ZONE, { nodeAffinityPolicy: 'Ignore' })).spec, nodeSelector: { [ZONE]: 'a' } },
      },
      held({ a1: 3 }),
      '',
    ],
    [
      'nowhere if a place counts that its taint forbids',
      web(spread(ZONE)),
      held({ a1: 1, b1: 1 }),
      '',
      [...NODES, tainted],
    ],
    [
      'anywhere if only places count whose taints it tolerates',
      web(spread(ZONE, { nodeTaintsPolicy: 'Honor' })),
      held({ a1: 1, b1: 1 }),
      'a1 a2 b1',
      [...NODES, tainted],
    ],
  ])('%s', (_where, parts, pods, expected, nodes) => {
    expect(places(parts, pods, nodes)).toBe(expected);
  });
});

test('it says which label a node lacks, and where too many are', () => {
  const nodes = [...NODES, node('bare', { allocatable: LARGE })];
  const decided = schedulePod(
    info('new', web(spread(ZONE, { minDomains: 3 }))),
    cluster(nodes, held({ a1: 1, b1: 1 })),
  );
  expect(decided).toMatchObject({ decision: 'wait', waitsFor: ['PodTopologySpread'] });
  expect(placeOf(decided)).toContain(
    "0/4 nodes are available: 1 node(s) didn't match pod topology spread constraints (missing required label), 3 node(s) didn't match pod topology spread constraints.",
  );
});

/** The node that the pod gets. */
function best(parts: PodParts, pods: readonly Pod[], nodes: readonly Node[] = NODES): string {
  const decided = schedulePod(info('new', parts), cluster(nodes, pods));
  return placeOf(decided);
}

describe('the best node is', () => {
  const anyway = (key: string, more: object = {}) => spread(key, more, 'ScheduleAnyway');
  test.each<[string, PodParts, readonly Pod[], string]>([
    ['the one in the zone with fewer', web(anyway(ZONE)), held({ a1: 2, a2: 1, b1: 2 }), 'b1'],
    ['the one with fewer', web(anyway(HOST)), held({ a1: 1, b1: 1 }), 'a2'],
    [
      'by Kubernetes own constraints, the one with fewer of the same controller',
      { ownerUid: 'rs' },
      held({ a1: 1, a2: 1 }, { ownerUid: 'rs' }),
      'b1',
    ],
  ])('%s', (_what, parts, pods, expected) => {
    expect(best(parts, pods)).toBe(expected);
  });

  test('for pods of one controller, one after the other, each node as often as the others', () => {
    const pods: Pod[] = [];
    for (let n = 0; n < 9; n += 1) {
      const name = `web-${n}`;
      pods.push(pod(name, { ownerUid: 'rs', on: best({ ownerUid: 'rs' }, pods) }));
    }
    const counts = NODES.map(({ metadata }) => pods.filter(({ spec }) => spec?.nodeName === metadata.name).length);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2);
  });
});
