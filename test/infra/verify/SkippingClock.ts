import { setImmediate, setTimeout } from 'node:timers/promises';
import type { RunClock } from '../../../infra/verify/RunClock.ts';

/** So long a real server is waited for between two looks at it. */
const MOST_WAITED_MS = 500;

/** The time of a test: a long sleep ends at once, and so much time has passed then. */
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
    if (ms <= MOST_WAITED_MS) return await setTimeout(ms);
    this.#skippedMs += ms;
    await setImmediate();
  }
}
