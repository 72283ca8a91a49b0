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
    // Nothing else would bring back the key of a change, or one whose last sync failed: its old message is deleted.
    ['sync', 1000, 2, 1],
    ['change', 1000, 0, 1],
    ['change', 0, 0, 1],
    ['operator', 0, 0, 1],
  ])('of a message from a %s with a delay of %i ms, after %i failures, %i copies are left', (...given) => {
    const [sender, delayMs, failures, left] = given;
    const queue = queueThatLosesWakeUps();
    queue.onRelease(KEY, { failures });

    queue.send([{ key: KEY, delayMs }], sender);

    expect(queue.size).toBe(left);
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
