import { describe, expect, test } from 'vitest';
import { inTurn, slowStartBatch, slowStartBatches } from '../../../lambdas/controllers/replicaset/slowStartBatch.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

test.each([
  [0, [], 0],
  [1, [1], 0],
  [2, [1, 1], 0],
  [3, [1, 2], 0],
  [10, [1, 2, 4, 3], 0],
  [500, [1, 2, 4, 8, 16, 32], 437],
])('%i creates begin in batches of %j, and %i come after them', (count, sizes, after) => {
  const { batches, rest } = slowStartBatches(numbers(count));
  expect(batches.map(({ length }) => length)).toEqual(sizes);
  expect(rest).toHaveLength(after);
  expect([...batches.flat(), ...rest]).toEqual(numbers(count));
});

/** Calls that end when they are told to. */
class Calls {
  readonly #ends = new Map<number, (result: string) => void>();
  readonly begun: number[] = [];

  readonly call = (item: number): Promise<string> => {
    this.begun.push(item);
    return new Promise((resolve) => this.#ends.set(item, resolve));
  };

  async end(item: number, result = 'well'): Promise<void> {
    this.#ends.get(item)?.(result);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  }
}

describe('in turn', () => {
  test('64 calls are under way, and the next begins when one of them has ended', async () => {
    const calls = new Calls();
    const all = inTurn(numbers(66), calls.call);
    expect(calls.begun).toEqual(numbers(64));
    await calls.end(40);
    expect(calls.begun).toEqual(numbers(65));
    for (const item of numbers(66)) await calls.end(item, `result ${item}`);
    const results = await all;
    expect(results).toHaveLength(66);
    expect(results[65]).toBe('result 65');
    expect(results[40]).toBe('well');
  });

  test('nothing begins after a failure, and what was begun is waited for', async () => {
    const calls = new Calls();
    const all = inTurn(numbers(100), calls.call, (result) => result === 'failed');
    await calls.end(3, 'failed');
    await calls.end(5);
    expect(calls.begun).toEqual(numbers(64));
    for (const item of numbers(64)) await calls.end(item);
    expect(await all).toHaveLength(64);
  });
});

test('a failure in a batch is the last of a slow start', async () => {
  const results = await slowStartBatch(
    numbers(500),
    async (item) => (item === 5 ? 'failed' : 'well'),
    (result) => result === 'failed',
  );
  expect(results).toHaveLength(7);
});
