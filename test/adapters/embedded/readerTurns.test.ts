import { expect, test } from 'vitest';
import { ReaderTurns } from '../../../lambdas/adapters/embedded/ReaderTurns.ts';

/** Turns of an event loop that turns when the test says so. */
function open() {
  let turn = () => {};
  const turns = new ReaderTurns(() => new Promise((resolve) => (turn = resolve)));
  const wentOn: number[] = [];
  const read = async (reader: number) => {
    await turns.take();
    wentOn.push(reader);
  };
  const endTurn = async () => {
    turn();
    await settled();
  };
  return { read, wentOn, endTurn };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('one reader goes on at once, turn after turn', async () => {
  const { read, wentOn, endTurn } = open();
  await read(1);
  await endTurn();
  await read(2);
  expect(wentOn).toEqual([1, 2]);
});

test('many readers go on a few in each turn, in the order in which they came', async () => {
  const { read, wentOn, endTurn } = open();
  for (let reader = 0; reader < 40; reader += 1) void read(reader);
  const counts: number[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    await endTurn();
    counts.push(wentOn.length);
  }
  expect(counts).toEqual([17, 33, 40, 40]);
  expect(wentOn).toEqual(Array.from({ length: 40 }, (_, reader) => reader));
});

test('a reader that comes again waits behind those who have not gone on yet', async () => {
  const { read, wentOn, endTurn } = open();
  for (let reader = 0; reader < 20; reader += 1) void read(reader);
  await settled();
  void read(0);
  await endTurn();
  await endTurn();
  expect(wentOn.slice(16)).toEqual([16, 17, 18, 19, 0]);
});
