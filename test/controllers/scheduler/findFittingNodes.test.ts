import { describe, expect, test } from 'vitest';
import { DEFAULT_FILTERS } from '../../../lambdas/controllers/scheduler/defaultPlugins.ts';
import { enoughNodes, findFittingNodes } from '../../../lambdas/controllers/scheduler/findFittingNodes.ts';
import { cluster, info, node } from './schedulerObjects.ts';

test.each([
  [0, 0],
  [1, 1],
  [99, 99],
  [100, 100],
  [150, 100],
  [250, 120],
  [1_000, 420],
  [5_000, 500],
  [6_000, 300],
  [20_000, 1_000],
])('of %i nodes that fit, the best of %i is taken', (total, enough) => {
  expect(enoughNodes(total)).toBe(enough);
});

describe('in a cluster of 300 nodes', () => {
  const nodes = Array.from({ length: 300 }, (_, at) => node(`node-${at}`));
  const namesFor = (uid: string, of = nodes) => {
    const fit = findFittingNodes(info(uid), cluster(of), DEFAULT_FILTERS);
    return 'fitting' in fit ? fit.fitting.map(({ name }) => name) : [];
  };

  test('two pods look at different nodes, and each at the same ones again', () => {
    expect(namesFor('one')).toHaveLength(enoughNodes(300));
    expect(namesFor('one')).toEqual(namesFor('one'));
    expect(namesFor('two')[0]).not.toBe(namesFor('one')[0]);
  });

  test('all nodes are looked at while too few fit', () => {
    const full = nodes.map((one, at) => (at === 7 ? one : node(one.metadata.name, { allocatable: { pods: '0' } })));
    expect(namesFor('one', full)).toEqual(['node-7']);
  });
});
