import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';

/** Draws that all follow from one seed. */
export class Random {
  readonly #ids: SeededIds;

  constructor(seed: number) {
    this.#ids = new SeededIds(seed);
  }

  /** Evenly spread over [0, 1). */
  fraction(): number {
    return this.#ids.random();
  }

  /** A whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.#ids.random() * (most - least + 1));
  }

  /** True with that probability. Draws nothing for what never happens, so that faults switched off change no later draw. */
  chance(probability: number): boolean {
    return probability > 0 && this.#ids.random() < probability;
  }

  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T {
    return items[this.integer(0, items.length - 1)] as T;
  }

  /** A generator of its own, so that what one part draws shifts no other part's draws. */
  fork(): Random {
    return new Random(this.integer(0, 0xffffffff));
  }
}
