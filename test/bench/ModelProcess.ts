import type { Process } from '../model/cloud/Process.ts';
import type { Random } from '../simulation/Random.ts';
import type { Scheduler } from '../simulation/Scheduler.ts';

/** From the least to the most: DynamoDB and SQS answer most requests within these milliseconds, from a function in their region. */
const LATENCY_MS = [3, 9] as const;

/** A process of a function that neither fails nor stands still: each of its requests takes a few milliseconds. */
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
    await this.#scheduler.wait(this.#random.integer(...LATENCY_MS));
    return await effect();
  }

  suspend(): void {}

  resume(): void {}

  kill(): void {}
}
