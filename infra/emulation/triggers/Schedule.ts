import { setTimeout as pause } from 'node:timers/promises';
import type { EmulatedFunction } from '../functions/EmulatedFunction.ts';
import type { ScheduleSpec } from '../template/readTriggers.ts';

/** Node would turn a longer timer into one of a millisecond. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Invokes a function at a rule's rate, the first time after one period. */
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
