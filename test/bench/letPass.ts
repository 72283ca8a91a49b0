import { setImmediate as settled } from 'node:timers/promises';
import type { Scheduler } from '../simulation/Scheduler.ts';

/** Lets simulated time pass until the work is done, with all that happens meanwhile. Rejects if the work does. */
export async function letPass(scheduler: Scheduler, work: () => Promise<unknown>): Promise<void> {
  const state = { isOver: false };
  const over = work().finally(() => {
    state.isOver = true;
  });
  // What needs no time happens before any timer, also before those that the work has just set.
  await settled();
  while (!state.isOver) await scheduler.step(Number.POSITIVE_INFINITY);
  await over;
}
