import type { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';

/** Moves the clock on by so much, from timer to timer, letting what each one woke settle before the next. */
export async function advance(clock: VirtualClock, ms: number): Promise<void> {
  const untilMs = clock.now() + ms;
  for (let next = clock.nextDueMs(); next !== undefined && next <= untilMs; next = clock.nextDueMs()) {
    clock.advanceTo(next);
    await new Promise((resolve) => setImmediate(resolve));
  }
  clock.advanceTo(untilMs);
}
