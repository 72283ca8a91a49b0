import type { Change } from '../../ports/ChangeLog.ts';
import type { StoreHealth } from './StoreHealth.ts';
import { WakeList } from './WakeList.ts';

/** A reader of all changes of all resources, from its opening on. Not for concurrent use. */
export interface StreamReader {
  /** All changes since the last call, at least one, in the order of their versions; an empty list once `signal` is aborted and none is left. */
  next(signal: AbortSignal): Promise<readonly Change[]>;
  close(): void;
}

/**
 * What a DynamoDB table's stream is to the cloud: every durable change, to each reader once. It forgets all when the process ends; the resync at the
 * start makes up for it.
 */
export class ChangeStream {
  readonly #health: StoreHealth;
  readonly #unread = new Set<Change[]>();
  readonly #appended = new WakeList();

  constructor(health: StoreHealth) {
    this.#health = health;
  }

  append(changes: readonly Change[]): void {
    for (const unread of this.#unread) for (const change of changes) unread.push(change);
  }

  wake(): void {
    this.#appended.wake();
  }

  open(): StreamReader {
    const unread: Change[] = [];
    this.#unread.add(unread);
    return {
      next: (signal) => this.#next(unread, signal),
      close: () => this.#unread.delete(unread),
    };
  }

  async #next(unread: Change[], signal: AbortSignal): Promise<readonly Change[]> {
    while (unread.length === 0 && !signal.aborted) {
      this.#health.assertUsable();
      await this.#appended.wait(signal);
    }
    return unread.splice(0);
  }
}
