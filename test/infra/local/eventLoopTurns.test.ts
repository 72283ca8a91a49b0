import { expect, test } from 'vitest';
import { EventLoopTurns } from '../../../infra/local/EventLoopTurns.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('workers do so many pieces together in one turn, and all wait for the next', async () => {
  let turn = () => {};
  const turns = new EventLoopTurns(() => new Promise((resolve) => (turn = resolve)), 4);
  let done = 0;
  const work = async () => {
    for (;;) {
      done += 1;
      await turns.afterWork();
    }
  };
  for (let worker = 0; worker < 3; worker += 1) void work();
  await settled();
  // The fourth piece ends the turn; the two other workers had begun theirs.
  const doneInTurn = done;
  expect(doneInTurn).toBeGreaterThanOrEqual(4);
  expect(doneInTurn).toBeLessThanOrEqual(4 + 2);
  turn();
  await settled();
  expect(done).toBeGreaterThan(doneInTurn);
  expect(done).toBeLessThanOrEqual(2 * doneInTurn);
});

test('work is not held up before its turn is over', async () => {
  const turns = new EventLoopTurns(() => Promise.reject(new Error('no turn is due')), 2);
  await turns.afterWork();
});
