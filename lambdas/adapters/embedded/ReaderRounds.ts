import type { Clock } from '../../ports/Clock.ts';
import type { WakeList } from './WakeList.ts';

/**
 * Wakes the readers of all logs in rounds. After each round the readers rest for as long as it took, so that readers take at most half of the process's time,
 * however many they are. What changes meanwhile they read together. A few readers take no time that could be measured, so they do not rest.
 */
export class ReaderRounds {
  readonly #clock: Clock;
  readonly #giveTurn: (() => Promise<void>) | undefined;
  readonly #due = new Set<WakeList>();
  #isRunning = false;

  /** `giveTurn` resolves when all that was woken before has been done. Absent, as on a virtual clock: readers never rest. */
  constructor(clock: Clock, giveTurn?: () => Promise<void>) {
    this.#clock = clock;
    this.#giveTurn = giveTurn;
  }

  /** Wakes those who wait for this log, now or when the last round's rest is over. */
  wake(readers: WakeList): void {
    if (readers.isEmpty) return;
    if (!this.#giveTurn) return readers.wake();
    this.#due.add(readers);
    if (!this.#isRunning) void this.#run(this.#giveTurn);
  }

  async #run(giveTurn: () => Promise<void>): Promise<void> {
    this.#isRunning = true;
    while (this.#due.size > 0) {
      const begunMs = this.#clock.steadyMs();
      for (const readers of this.#due) readers.wake();
      this.#due.clear();
      await giveTurn();
      const tookMs = this.#clock.steadyMs() - begunMs;
      if (tookMs > 0) await new Promise<void>((resolve) => this.#clock.setTimer(tookMs, resolve));
    }
    this.#isRunning = false;
  }
}
