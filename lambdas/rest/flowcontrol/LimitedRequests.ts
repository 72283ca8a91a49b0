import { type Clock, isRecent, type Moment, momentOf } from '../../ports/Clock.ts';
import type { Bucket } from './decideBuckets.ts';

/** How often one bucket is told of. A line for each refused request would cost more than the requests that are kept away. */
const PERIOD_MS = 10_000;
/** So many buckets are remembered. With more, one is told of again a little early. */
const MAX_REMEMBERED = 1_000;

interface Told {
  at: Moment;
  /** Refused since. */
  count: number;
}

/** Tells the log of the server whose requests are limited: at once, and then every ten seconds with the number since. */
export class LimitedRequests {
  readonly #clock: Clock;
  readonly #report: (line: Readonly<Record<string, unknown>>) => void;
  readonly #told = new Map<string, Told>();

  constructor(clock: Clock, report: (line: Readonly<Record<string, unknown>>) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  /** `who`: the user and the place of a refused request. */
  note({ name, limit }: Bucket, who: Readonly<Record<string, string>>): void {
    const told = this.#told.get(name);
    if (told && isRecent(this.#clock, told.at, PERIOD_MS)) {
      told.count += 1;
      return;
    }
    if (this.#told.size >= MAX_REMEMBERED) this.#told.clear();
    this.#told.set(name, { at: momentOf(this.#clock), count: 0 });
    this.#report({ level: 'warn', msg: 'requests are limited', limit, ...who, refused: (told?.count ?? 0) + 1 });
  }
}
