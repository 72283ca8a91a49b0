import { setImmediate } from 'node:timers/promises';
import type { RunClock } from '../../../infra/verify/RunClock.ts';

/** The time of a test: a sleep ends at once, and so much time has passed then. */
export class SkippingClock implements RunClock {
  readonly #interrupted = new AbortController();
  #skippedMs = 0;
  /** Interrupts the run when so much has been slept through. */
  interruptAfterMs = Number.POSITIVE_INFINITY;

  get signal(): AbortSignal {
    return this.#interrupted.signal;
  }

  now(): number {
    return Math.round(performance.timeOrigin + performance.now() + this.#skippedMs);
  }

  async sleep(ms: number): Promise<void> {
    await this.#skip(ms);
    if (this.#skippedMs >= this.interruptAfterMs) this.#interrupted.abort(new Error('interrupted'));
    this.signal.throwIfAborted();
  }

  beyondInterruption(): RunClock {
    const beyond: RunClock = {
      now: () => this.now(),
      sleep: (ms) => this.#skip(ms),
      signal: new AbortController().signal,
      beyondInterruption: () => beyond,
    };
    return beyond;
  }

  async #skip(ms: number): Promise<void> {
    this.#skippedMs += ms;
    await setImmediate();
  }
}
