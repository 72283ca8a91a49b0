import { type Clock, sleep } from '../../ports/Clock.ts';

/** For so long the end of an invocation waits. Most of what it waits for takes 10 to 20 ms. */
const MAX_WAIT_MS = 1_000;

/** What a process does after it has been answered, and before its function may stand still. */
export class WorkUnderWay {
  readonly #clock: Clock;
  readonly #works = new Set<Promise<void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `work` must not reject. */
  add(work: Promise<void>): void {
    const added = work.finally(() => this.#works.delete(added));
    this.#works.add(added);
  }

  /** Resolves when nothing is under way, or after a second. */
  async ended(): Promise<void> {
    if (this.#works.size === 0) return;
    const inTime = new AbortController();
    const all = this.#allEnded().then(() => inTime.abort());
    await Promise.race([all, sleep(this.#clock, MAX_WAIT_MS, inTime.signal)]);
  }

  async #allEnded(): Promise<void> {
    while (this.#works.size > 0) await Promise.all(this.#works);
  }
}
