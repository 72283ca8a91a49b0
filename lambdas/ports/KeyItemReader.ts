import type { KeyItem } from './KeyLocks.ts';
import type { WorkKey } from './WorkKey.ts';

/** Reads what is kept for keys, without their locks. */
export interface KeyItemReader {
  /** Returns the items of these keys as they were a moment ago, by the keys as `encodeWorkKey` writes them, without their intents. Some may be missing. */
  read(keys: readonly WorkKey[]): Promise<ReadonlyMap<string, KeyItem>>;
}
