import { type Clock, sleep } from '../../../lambdas/ports/Clock.ts';

/** A process' share of a processor: what it computes is computed one after the other. */
export class Processor {
  readonly #clock: Clock;
  #freeAtMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when this much more has been computed. */
  async compute(durationMs: number): Promise<void> {
    const nowMs = this.#clock.steadyMs();
    this.#freeAtMs = Math.max(nowMs, this.#freeAtMs) + durationMs;
    await sleep(this.#clock, this.#freeAtMs - nowMs);
  }
}
