import type { ObjectsAndChangeLogs } from './ObjectsAndChangeLogs.ts';
import type { Journal } from './Journal.ts';
import type { StoreHealth } from './StoreHealth.ts';

/** Removes obsolete entries from the journal in the background, so that it does not grow for ever. */
export class JournalTrimmer {
  readonly #journal: Journal;
  readonly #state: ObjectsAndChangeLogs;
  readonly #health: StoreHealth;
  readonly #worthwhile: { readonly count: number; readonly bytes: number };
  #running: Promise<void> | undefined;

  /** Trims when at least so many entries are obsolete, or entries of so many bytes. */
  constructor(
    journal: Journal,
    state: ObjectsAndChangeLogs,
    health: StoreHealth,
    worthwhile: { readonly count: number; readonly bytes: number },
  ) {
    this.#journal = journal;
    this.#state = state;
    this.#health = health;
    this.#worthwhile = worthwhile;
  }

  trimIfWorthwhile(): void {
    const { garbageCount, garbageBytes } = this.#state;
    const isWorthwhile = garbageCount >= this.#worthwhile.count || garbageBytes >= this.#worthwhile.bytes;
    if (isWorthwhile && !this.#running) this.#running = this.#trim();
  }

  /** Resolves when the running trimming, if any, has ended. */
  async drained(): Promise<void> {
    await this.#running;
  }

  async #trim(): Promise<void> {
    try {
      await this.#journal.trim(this.#state.takeGarbage());
    } catch (error) {
      this.#health.fail(error);
    }
    this.#running = undefined;
  }
}
