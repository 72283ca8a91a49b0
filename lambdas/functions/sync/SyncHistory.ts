import { encodeWorkKey, type WorkKey } from '../../ports/WorkKey.ts';
import type { SyncRecord } from './SyncRecord.ts';

const RECORDS_PER_KEY = 10;
const MAX_KEYS = 10_000;

/** The last syncs of each key, for who asks why a rollout is stuck. Bounded: keys that were not synced for longest are forgotten first. */
export class SyncHistory {
  readonly #records = new Map<string, SyncRecord[]>();
  readonly #maxKeys: number;

  constructor(maxKeys = MAX_KEYS) {
    this.#maxKeys = maxKeys;
  }

  add(record: SyncRecord): void {
    const encoded = encodeWorkKey(record.key);
    const records = this.#records.get(encoded) ?? [];
    records.push(record);
    if (records.length > RECORDS_PER_KEY) records.shift();
    // Set anew, so that the map's order is that of the last syncs.
    this.#records.delete(encoded);
    this.#records.set(encoded, records);
    if (this.#records.size > this.#maxKeys) this.#forgetOldest();
  }

  /** The last ten syncs of a key, the oldest first. */
  of(key: WorkKey): readonly SyncRecord[] {
    return [...(this.#records.get(encodeWorkKey(key)) ?? [])];
  }

  #forgetOldest(): void {
    for (const encoded of this.#records.keys()) {
      this.#records.delete(encoded);
      return;
    }
  }
}
