import { describe, expect, test } from 'vitest';
import { ActingObjects } from '../../../../infra/testCluster/controls/ActingObjects.ts';

/** A list whose observer writes down what it is told. */
function observed() {
  const acting = new ActingObjects<string>();
  const told: string[] = [];
  acting.observe({
    added: ({ name, spec }) => told.push(`added ${name} ${spec}`),
    removed: (name) => told.push(`removed ${name}`),
    acted: ({ name, acted }) => told.push(`${name} acted ${acted}`),
  });
  return { acting, told };
}

describe('what acts', () => {
  test('is told when this process changes it', () => {
    const { acting, told } = observed();
    const one = acting.add('slow');
    acting.count(one);
    acting.remove(one);
    acting.remove(one);
    expect(told).toEqual(['added startcluster-1 slow', 'startcluster-1 acted 1', 'removed startcluster-1']);
  });

  test('is not told what a stored object has changed, and keeps its place and its count', () => {
    const { acting, told } = observed();
    acting.put('a', 'first', 4);
    acting.put('b', 'second', 0);
    acting.put('a', 'changed', 0);
    expect([...acting.values()]).toMatchObject([
      { name: 'a', spec: 'changed', acted: 4 },
      { name: 'b', spec: 'second' },
    ]);
    acting.drop('a');
    expect(acting.size).toBe(1);
    expect(told).toEqual([]);
  });

  test('takes no name that a stored object has', () => {
    const { acting } = observed();
    acting.put('startcluster-1', 'stored', 0);
    expect(acting.add('new').name).toBe('startcluster-2');
  });

  test('does not count for an object that took the name of another', () => {
    const { acting } = observed();
    const gone = acting.add('gone');
    acting.drop(gone.name);
    acting.put(gone.name, 'other', 0);
    acting.count(gone);
    acting.remove(gone);
    expect(acting.find(gone.name)).toMatchObject({ spec: 'other', acted: 0 });
  });
});
