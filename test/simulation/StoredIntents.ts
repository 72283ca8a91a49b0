import type { KeyItemStorage, StoredKeyItem } from '../../lambdas/adapters/embedded/EmbeddedKeyLocks.ts';

/** The key items that outlive a restart, in memory. */
export class StoredIntents implements KeyItemStorage {
  readonly #items = new Map<string, StoredKeyItem>();

  entries(): Iterable<readonly [string, StoredKeyItem]> {
    return [...this.#items];
  }

  put(key: string, item: StoredKeyItem): Promise<void> {
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
