import { expect, test } from 'vitest';
import { slowStartBatches } from '../../../lambdas/controllers/replicaset/slowStartBatch.ts';

test.each([
  [0, []],
  [1, [1]],
  [2, [1, 1]],
  [3, [1, 2]],
  [10, [1, 2, 4, 3]],
  [500, [1, 2, 4, 8, 16, 32, 64, 64, 64, 64, 64, 64, 53]],
])('%i creates go out in batches of %j', (count, sizes) => {
  const items = Array.from({ length: count }, (_, index) => index);
  const batches = slowStartBatches(items);
  expect(batches.map(({ length }) => length)).toEqual(sizes);
  expect(batches.flat()).toEqual(items);
});
