import type { KeyItem } from '../../ports/KeyLocks.ts';

/**
 * Where EmbeddedKeyLocks keeps what must outlive the process: the items of keys with an intent. Keys are encoded work keys. One process at a time
 * owns it.
 */
export interface KeyItemStorage {
  entries(): Iterable<readonly [string, KeyItem]>;
  /** Durable before it resolves. */
  put(key: string, item: KeyItem): Promise<void>;
  /** Resolves once no later `entries` shows it; need not be durable, since an intent that comes back is burned by its next holder. */
  remove(key: string): Promise<void>;
  close(): Promise<void>;
}
