import { open, type RootDatabase } from 'lmdb';
import type { KeyItem } from '../../ports/KeyLocks.ts';
import type { KeyItemStorage } from './KeyItemStorage.ts';

/** Key items in an LMDB file of their own. */
export class LmdbKeyItemStorage implements KeyItemStorage {
  readonly #items: RootDatabase<KeyItem, string>;

  /** Opens or makes the database at `path`; throws if it cannot be used. */
  constructor(path: string) {
    this.#items = open<KeyItem, string>({ path, encoding: 'json' });
  }

  *entries(): Iterable<readonly [string, KeyItem]> {
    for (const { key, value } of this.#items.getRange()) yield [key, value];
  }

  async put(key: string, item: KeyItem): Promise<void> {
    await this.#items.put(key, item);
    await this.#items.flushed;
  }

  async remove(key: string): Promise<void> {
    await this.#items.remove(key);
  }

  async close(): Promise<void> {
    await this.#items.close();
  }
}
