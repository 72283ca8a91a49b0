import type { Process } from '../model/cloud/Process.ts';
import { PUBLISHED_LATENCIES } from '../model/publishedLatencies.ts';
import { drawMs } from '../model/Spread.ts';
import type { Random } from '../simulation/Random.ts';
import type { Scheduler } from '../simulation/Scheduler.ts';

/** A process of a function that neither fails nor stands still: each of its requests takes as long as such requests do. */
export class ModelProcess implements Process {
  readonly diedAtMs = undefined;
  readonly #scheduler: Scheduler;
  readonly #random: Random;

  constructor(scheduler: Scheduler, random: Random) {
    this.#scheduler = scheduler;
    this.#random = random;
  }

  now(): number {
    return this.#scheduler.now();
  }

  steadyMs(): number {
    return this.#scheduler.now();
  }

  setTimer(delayMs: number, wake: () => void): () => void {
    return this.#scheduler.setTimer(delayMs, wake);
  }

  async call<T>(_what: string, effect: () => Promise<T>): Promise<T> {
    await this.#scheduler.wait(drawMs(PUBLISHED_LATENCIES.callMs, this.#random));
    return await effect();
  }

  suspend(): void {}

  resume(): void {}

  kill(): void {}
}
