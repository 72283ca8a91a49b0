import { describe, expect, test } from 'vitest';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { firstInOrder } from '../../lambdas/objects/firstInOrder.ts';

interface Item {
  readonly key: number;
  readonly at: number;
}

const byKey = (a: Item, b: Item) => a.key - b.key;

describe.each([0, 1, 2, 10, 100, 1_000])('of %d items, the first in order', (length) => {
  test.each([0, 1, 2, 7, 100, 500, 1_000, 2_000])('%d are those that a stable sort puts first', (count) => {
    const ids = new SeededIds(length * 10_000 + count);
    const items = Array.from({ length }, (_, at) => ({ key: Math.floor(ids.random() * 50), at }));
    for (const some of [items, [...items].sort(byKey), [...items].sort(byKey).reverse()]) {
      expect(firstInOrder(some, count, byKey)).toEqual([...some].sort(byKey).slice(0, count));
    }
  });
});

test('the list that is given stays as it is', () => {
  const items = [3, 1, 2];
  firstInOrder(items, 3, (a, b) => a - b);
  expect(items).toEqual([3, 1, 2]);
});
