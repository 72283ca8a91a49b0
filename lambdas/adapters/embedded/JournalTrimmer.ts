import type { EmbeddedState } from './EmbeddedState.ts';
import type { Journal } from './Journal.ts';
import type { StoreHealth } from './StoreHealth.ts';

/** So many entries that say nothing any more are left in the journal before it is worth cutting them out. */
const WORTHWHILE_COUNT = 1000;

/** Keeps the journal from growing for ever, behind the writers' backs. */
export class JournalTrimmer {
  readonly #journal: Journal;
  readonly #state: EmbeddedState;
  readonly #health: StoreHealth;
  #running: Promise<void> | undefined;

  constructor(journal: Journal, state: EmbeddedState, health: StoreHealth) {
    this.#journal = journal;
    this.#state = state;
    this.#health = health;
  }

  trimIfWorthwhile(): void {
    if (this.#running || this.#state.garbageCount < WORTHWHILE_COUNT) return;
    this.#running = this.#trim();
  }

  /** Resolves when no trimming is under way. */
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
