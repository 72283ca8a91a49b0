import type { EmbeddedState } from './EmbeddedState.ts';
import type { Journal } from './Journal.ts';
import type { StoreHealth } from './StoreHealth.ts';

/** Keeps the journal from growing for ever, behind the writers' backs. */
export class JournalTrimmer {
  readonly #journal: Journal;
  readonly #state: EmbeddedState;
  readonly #health: StoreHealth;
  readonly #worthwhileCount: number;
  #running: Promise<void> | undefined;

  /** Trims once at least `worthwhileCount` entries say nothing any more. */
  constructor(journal: Journal, state: EmbeddedState, health: StoreHealth, worthwhileCount: number) {
    this.#journal = journal;
    this.#state = state;
    this.#health = health;
    this.#worthwhileCount = worthwhileCount;
  }

  trimIfWorthwhile(): void {
    if (this.#running || this.#state.garbageCount < this.#worthwhileCount) return;
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
