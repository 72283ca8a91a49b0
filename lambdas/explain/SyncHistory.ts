import type { ChangeWaits } from '../ports/ChangeWaits.ts';
import { encodeWorkKey, type WorkKey } from '../ports/WorkKey.ts';

/** What one sync came to: the log line, and what `explain` shows. */
export interface SyncRecord {
  readonly key: WorkKey;
  readonly beganAtMs: number;
  readonly durationMs: number;
  /** How long the changes for which the key was queued waited for this sync. Absent: it was queued for another reason, or its last sync failed, and it waited for its backoff. */
  readonly edgeMs?: number;
  /**
   * - `failed`: the sync threw. The key is tried again after its backoff.
   * - `conflict`: other writers were faster, several times in a row. Nothing is wrong; the key is tried again after its backoff.
   * - `stalled`: the sync was still running at its deadline. Its lock is left to end by itself.
   * - `lost`: the lock had ended, and another worker has the key.
   */
  readonly outcome: 'done' | 'requeueAfter' | 'failed' | 'conflict' | 'stalled' | 'lost';
  /** How often the sync observed again because of a conflict. */
  readonly conflicts: number;
  readonly why: readonly string[];
  readonly observed?: Readonly<Record<string, unknown>>;
  /** Shortened by `summarizeWrites`. */
  readonly writes: readonly string[];
  /** When the key is looked at again even if nothing changes. */
  readonly wakeAtMs?: number;
  /** The number of syncs in a row that failed, this one included. */
  readonly failures: number;
  /** True if the key was given up after too many failures and is a dead letter now. */
  readonly buried?: boolean;
  readonly error?: string;
  /** The trace to which it belongs. */
  readonly traceId?: string;
  /** What the change has waited for that caused it, of a sync that ended well. */
  readonly waited?: ChangeWaits;
}

const RECORDS_PER_KEY = 10;
const MAX_KEYS = 10_000;

/** The last syncs of each key, to explain why a rollout is stuck. Its size is bounded: the key that was not synced for the longest time is forgotten first. */
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
    // Deleted and set again, so that the map is ordered by each key's last sync.
    this.#records.delete(encoded);
    this.#records.set(encoded, records);
    if (this.#records.size > this.#maxKeys) this.#forgetOldest();
  }

  /** Returns the last ten syncs of a key, the oldest first. */
  of(key: WorkKey): readonly SyncRecord[] {
    return [...(this.#records.get(encodeWorkKey(key)) ?? [])];
  }

  /** Returns the keys that were synced last, the latest first, as texts. */
  latestKeys(count: number): readonly string[] {
    return [...this.#records.keys()].slice(-count).toReversed();
  }

  #forgetOldest(): void {
    for (const encoded of this.#records.keys()) {
      this.#records.delete(encoded);
      return;
    }
  }
}
