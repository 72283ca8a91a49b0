import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { addChecksum, removeChecksum } from './checksum.ts';
import { DataDirectoryError } from './DataDirectoryError.ts';
import type { KeyItemStorage, StoredKeyItem } from './EmbeddedKeyLocks.ts';
import { openLmdb } from './openLmdb.ts';

/** Key items in an LMDB database beside the journal's. The journal's lock on the data directory keeps other processes out. */
export class LmdbKeyItemStorage implements KeyItemStorage {
  readonly #items: RootDatabase<string, string | number>;

  readonly #directory: string;

  private constructor(directory: string, items: RootDatabase<string, string | number>) {
    this.#directory = directory;
    this.#items = items;
  }

  /** Opens or creates the database in a data directory. Throws a DataDirectoryError if the directory cannot be used. */
  static open(directory: string): LmdbKeyItemStorage {
    try {
      return new LmdbKeyItemStorage(directory, openLmdb(join(directory, 'keys')));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new DataDirectoryError(directory, `cannot be used: ${why}`, { cause: error });
    }
  }

  *entries(): Iterable<readonly [string, StoredKeyItem]> {
    for (const { key, value } of this.#items.getRange()) yield [String(key), this.#decode(String(key), value)];
  }

  async put(key: string, item: StoredKeyItem): Promise<void> {
    await this.#items.put(key, addChecksum(key, JSON.stringify(item)));
  }

  async remove(key: string): Promise<void> {
    await this.#items.remove(key);
  }

  async close(): Promise<void> {
    await this.#items.close();
  }

  #decode(key: string, value: string): StoredKeyItem {
    try {
      return JSON.parse(removeChecksum(key, value)) as StoredKeyItem;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new DataDirectoryError(this.#directory, `cannot be used: item ${key} of its keys is damaged: ${why}`, {
        cause: error,
      });
    }
  }
}
