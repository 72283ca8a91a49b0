import { describe, expect, test } from 'vitest';
import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';
import { spreadObjection } from './spreadObjection.ts';

const node = (name: string, zone: string) => ({ metadata: { name, labels: { zone } } }) as unknown as Node;
const [a1, a2, b] = [node('a1', 'a'), node('a2', 'a'), node('b', 'b')];

/** A pod of the kind that is spread over zones, on that node. */
function podOn(nodeName: string): Pod {
  const constraint = {
    topologyKey: 'zone',
    maxSkew: 1,
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { app: 'web' } },
  };
  const spec = { nodeName, topologySpreadConstraints: [constraint] };
  return { metadata: { name: 'web', labels: { app: 'web' } }, spec } as unknown as Pod;
}

describe('a pod that was bound to zone b', () => {
  const onB = [podOn('b'), podOn('b')];
  const judge = (view: { nodes: Node[]; changed?: Node[]; known: Pod[]; possible?: Pod[] }) =>
    spreadObjection(podOn('b'), b, { changed: [], possible: [], ...view });

  test('is one too many if the other zone has none', () => {
    expect(judge({ nodes: [a1, b], known: onB })).toBe('b has 2 of its kind, and another place has 0');
  });
  test('is well placed if the other zone has one', () => {
    expect(judge({ nodes: [a1, b], known: [...onB, podOn('a1')] })).toBeUndefined();
  });
  test('is well placed if the other zone has one on a node that has changed lately', () => {
    expect(judge({ nodes: [a2, b], changed: [a1], known: [...onB, podOn('a1')] })).toBeUndefined();
  });
  test('is well placed if the other zone has no node that has not changed', () => {
    expect(judge({ nodes: [b], changed: [a1], known: onB })).toBeUndefined();
  });
  test('is well placed if a pod that began to go was in the other zone, or anywhere', () => {
    expect(judge({ nodes: [a1, b], known: onB, possible: [podOn('a1')] })).toBeUndefined();
    expect(judge({ nodes: [a1, b], known: onB, possible: [podOn('')] })).toBeUndefined();
  });
});
