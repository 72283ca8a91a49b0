import type { Clock } from '../../ports/Clock.ts';
import type { Ids } from '../../ports/Ids.ts';

const NANOSECONDS_PER_MILLISECOND = 1_000_000;

/** client-go takes the nanoseconds since the epoch. The digits below a millisecond are drawn here, since other processes name events in the same one. */
export class EventNames {
  readonly #clock: Clock;
  readonly #ids: Ids;
  #lastNs = 0n;

  constructor({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Names of one process sort as they were given: lists are in order of names, and kubectl shows events of one second as they are listed. */
  next(regarding: string): string {
    const drawn = BigInt(Math.floor(this.#ids.random() * NANOSECONDS_PER_MILLISECOND));
    const ns = BigInt(this.#clock.now()) * BigInt(NANOSECONDS_PER_MILLISECOND) + drawn;
    this.#lastNs = ns > this.#lastNs ? ns : this.#lastNs + 1n;
    return `${regarding}.${this.#lastNs.toString(16)}`;
  }
}
