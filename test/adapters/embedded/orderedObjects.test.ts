import { expect, test } from 'vitest';
import { OrderedObjects } from '../../../lambdas/adapters/embedded/OrderedObjects.ts';
import { sample } from '../../contracts/objectStoreSamples.ts';

const names = ({ items }: ReturnType<OrderedObjects['list']>) => items.map(({ metadata }) => metadata.name);

test('the list of all objects is the same array until an object changes', () => {
  const objects = new OrderedObjects();
  objects.put('a', sample('one'));
  const first = objects.list({});
  expect(objects.list({}).items).toBe(first.items);
  objects.remove('a', 'absent');
  expect(objects.list({}).items).toBe(first.items);
  objects.put('b', sample('two'));
  expect([names(first), names(objects.list({}))]).toEqual([['one'], ['one', 'two']]);
  objects.put('a', sample('one'));
  objects.remove('b', 'two');
  expect(names(objects.list({}))).toEqual(['one']);
});

test('a list of a part is read anew', () => {
  const objects = new OrderedObjects();
  for (const name of ['one', 'two']) objects.put('a', sample(name));
  objects.put('b', sample('three'));
  expect(names(objects.list({}))).toEqual(['one', 'two', 'three']);
  expect(names(objects.list({ namespace: 'a' }))).toEqual(['one', 'two']);
  expect(objects.list({ limit: 1 })).toMatchObject({ more: true, remaining: 2 });
  expect(names(objects.list({ after: { namespace: 'a', name: 'one' } }))).toEqual(['two', 'three']);
});
