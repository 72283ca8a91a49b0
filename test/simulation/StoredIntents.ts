import type { KeyItemStorage } from '../../lambdas/adapters/embedded/EmbeddedKeyLocks.ts';
import type { KeyItem } from '../../lambdas/ports/KeyLocks.ts';

/** The key items that outlive a restart, in memory. */
export class StoredIntents implements KeyItemStorage {
  readonly #items = new Map<string, KeyItem>();

  entries(): Iterable<readonly [string, KeyItem]> {
    return [...this.#items];
  }

  put(key: string, item: KeyItem): Promise<void> {
    this.#items.set(key, item);
    return Promise.resolve();
  }

  remove(key: string): Promise<void> {
    this.#items.delete(key);
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
