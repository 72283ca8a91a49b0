import { setTimeout as pause } from 'node:timers/promises';
import type { EmulatedFunction } from '../functions/EmulatedFunction.ts';
import type { ScheduleSpec } from '../template/readTriggers.ts';

/** Longer timers would be cut to a millisecond by Node. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A rule that invokes a function at its rate, the first time after one period. */
export class Schedule {
  readonly #spec: ScheduleSpec;
  readonly #target: EmulatedFunction;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(spec: ScheduleSpec, target: EmulatedFunction) {
    this.#spec = spec;
    this.#target = target;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { periodMs, input } = this.#spec;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await pause(Math.min(periodMs, LONGEST_TIMER_MS), undefined, { signal, ref: false }).catch(() => {});
      if (!signal.aborted) await this.#target.invoke(input);
    }
  }
}
