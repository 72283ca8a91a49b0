import type { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';

/** Advances the clock by this much, timer by timer. Waits for the code that a timer woke before it fires the next. */
export async function advance(clock: VirtualClock, ms: number): Promise<void> {
  const untilMs = clock.now() + ms;
  for (let next = clock.nextDueMs(); next !== undefined && next <= untilMs; next = clock.nextDueMs()) {
    clock.advanceTo(next);
    await new Promise((resolve) => setImmediate(resolve));
  }
  clock.advanceTo(untilMs);
}
