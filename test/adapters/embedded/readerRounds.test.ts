import { expect, test } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { ReaderRounds } from '../../../lambdas/adapters/embedded/ReaderRounds.ts';
import { WakeList } from '../../../lambdas/adapters/embedded/WakeList.ts';

const NEVER = new AbortController().signal;

/** A reader that counts how often it was woken, and waits again at once. */
function reader(list: WakeList): { readonly wakes: number } {
  const counted = { wakes: 0 };
  const again = () =>
    void list.wait(NEVER).then(() => {
      counted.wakes += 1;
      again();
    });
  again();
  return counted;
}

/** Rounds that take `roundMs` each. */
function open(roundMs: number) {
  const clock = new VirtualClock(0);
  const rounds = new ReaderRounds(clock, async () => clock.advanceBy(roundMs));
  return { clock, rounds, list: new WakeList() };
}

/** Resolves when all that can be done without a timer is done. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('readers rest as long as their last round took, and what changes meanwhile wakes them once', async () => {
  const { clock, rounds, list } = open(40);
  const counted = reader(list);
  rounds.wake(list);
  await settled();
  expect(counted.wakes).toBe(1);
  rounds.wake(list);
  rounds.wake(list);
  clock.advanceBy(39);
  await settled();
  expect(counted.wakes).toBe(1);
  clock.advanceBy(1);
  await settled();
  expect(counted.wakes).toBe(2);
});

test('a round without a measurable time is followed by no rest', async () => {
  const { clock, rounds, list } = open(0);
  const counted = reader(list);
  for (let n = 1; n <= 3; n += 1) {
    rounds.wake(list);
    await settled();
    expect(counted.wakes).toBe(n);
  }
  expect(clock.nextDueMs()).toBeUndefined();
});

test('the readers of all logs share their rounds', async () => {
  const { clock, rounds, list } = open(40);
  const other = new WakeList();
  const [one, two] = [reader(list), reader(other)];
  rounds.wake(list);
  await settled();
  rounds.wake(other);
  await settled();
  expect([one.wakes, two.wakes]).toEqual([1, 0]);
  clock.advanceBy(40);
  await settled();
  expect([one.wakes, two.wakes]).toEqual([1, 1]);
});

test('without turns of the event loop, as on a virtual clock, readers are woken each time', async () => {
  const list = new WakeList();
  const counted = reader(list);
  const rounds = new ReaderRounds(new VirtualClock(0));
  for (let n = 1; n <= 3; n += 1) {
    rounds.wake(list);
    await settled();
    expect(counted.wakes).toBe(n);
  }
});
