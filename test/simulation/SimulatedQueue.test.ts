import { describe, expect, test } from 'vitest';
import { FaultPlan, NO_FAULTS } from './FaultPlan.ts';
import { Random } from './Random.ts';
import { Scheduler } from './Scheduler.ts';
import { type Sender, SimulatedQueue } from './SimulatedQueue.ts';
import { Trace } from './Trace.ts';

const KEY = { controller: 'job', namespace: 'a', name: 'work' } as const;

describe('the simulated queue at its worst', () => {
  test.each<[Sender, number, { readonly failures: number; readonly wakeAtMs?: number }, number]>([
    // A wake-up is stored with the key, too: the look at overdue keys finds it.
    ['sync', 1000, { failures: 0, wakeAtMs: 1000 }, 0],
    ['sync', 0, { failures: 0, wakeAtMs: 1000 }, 1],
    // Nothing else would bring back the key of a change, or one whose sync failed or was given up: its old message is deleted.
    ['sync', 1000, { failures: 0 }, 1],
    ['sync', 1000, { failures: 1 }, 1],
    ['sync', 1000, { failures: 1, wakeAtMs: 1000 }, 1],
    ['change', 1000, { failures: 0, wakeAtMs: 1000 }, 1],
    ['change', 0, { failures: 0, wakeAtMs: 1000 }, 1],
    ['operator', 0, { failures: 0, wakeAtMs: 1000 }, 1],
  ])('of a message from a %s with a delay of %i ms, after a release with %j, %i copies are left', (...given) => {
    const [sender, delayMs, released, left] = given;
    const queue = queueThatLosesWakeUps();

    queue.send([{ key: KEY, delayMs }], sender);
    queue.onRelease(KEY, released);

    expect(queue.size).toBe(left);
  });

  test.each<[string, { readonly failures: number; readonly wakeAtMs?: number }]>([
    ['before its key was released after a failure', { failures: 1 }],
    ['after its key was released after a failure', { failures: 1, wakeAtMs: 1000 }],
  ])('a message that was sent %s is not lost by a later release', (_, released) => {
    const queue = queueThatLosesWakeUps();
    const send = () => queue.send([{ key: KEY, delayMs: 1000 }], 'sync');
    const release = () => queue.onRelease(KEY, released);
    for (const step of released.wakeAtMs === undefined ? [send, release] : [release, send]) step();

    queue.onRelease(KEY, { failures: 0, wakeAtMs: 2000 });

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
