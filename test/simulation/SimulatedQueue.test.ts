import { describe, expect, test } from 'vitest';
import { FaultPlan, NO_FAULTS } from './FaultPlan.ts';
import { Random } from './Random.ts';
import { Scheduler } from './Scheduler.ts';
import { type Sender, SimulatedQueue } from './SimulatedQueue.ts';
import { Trace } from './Trace.ts';

const KEY = { controller: 'job', namespace: 'a', name: 'work' } as const;

describe('the simulated queue at its worst', () => {
  test.each<[Sender, number, number, number]>([
    // A wake-up is stored with the key, too: the look at overdue keys finds it.
    ['sync', 1000, 0, 0],
    ['sync', 0, 0, 1],
    // Nothing else would bring back the key of a change, or one whose sync failed: its old message is deleted.
    ['sync', 1000, 1, 1],
    ['change', 1000, 0, 1],
    ['change', 0, 0, 1],
    ['operator', 0, 0, 1],
  ])('of a message from a %s with a delay of %i ms, after %i failures, %i copies are left', (...given) => {
    const [sender, delayMs, failures, left] = given;
    const queue = queueThatLosesWakeUps();

    queue.send([{ key: KEY, delayMs }], sender);
    queue.onRelease(KEY, { failures });

    expect(queue.size).toBe(left);
  });

  test.each([
    ['before', true],
    ['after', false],
  ])('a message that was sent %s its key was released after a failure is not lost by a later release', (_, isFirst) => {
    const queue = queueThatLosesWakeUps();
    const send = () => queue.send([{ key: KEY, delayMs: 1000 }], 'sync');
    const release = () => queue.onRelease(KEY, { failures: 1 });
    for (const step of isFirst ? [send, release] : [release, send]) step();

    queue.onRelease(KEY, { failures: 0 });

    expect(queue.size).toBe(1);
  });
});

function queueThatLosesWakeUps(): SimulatedQueue {
  const random = new Random(1);
  const parts = {
    random,
    scheduler: new Scheduler(0, random),
    faults: new FaultPlan({ ...NO_FAULTS, lostWakeUp: 1 }),
    trace: new Trace(1),
    throttling: { untilMs: 0 },
    underWay: new Map<string, () => Promise<void>>(),
  };
  return new SimulatedQueue(parts, () => {});
}
