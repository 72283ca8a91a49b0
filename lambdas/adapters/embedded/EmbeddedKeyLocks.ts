import {
  type AcquireOutcome,
  decodeIntent,
  encodeIntent,
  type Intent,
  type KeyItem,
  type KeyLocks,
  MAX_LOCK_MS,
  type ReleaseOutcome,
  type StoredIntent,
} from '../../ports/KeyLocks.ts';
import { joinTraces, type KeyTrace } from '../../ports/TraceContext.ts';
import { encodeWorkKey, parseWorkKey, type WorkKey } from '../../ports/WorkKey.ts';

/** A key's item in a storage. */
export type StoredKeyItem = Omit<KeyItem, 'intent'> & { readonly intent?: StoredIntent };

/** Keeps the items of keys with an intent, which must outlive the process. Keys are encoded work keys. Only one process uses it at a time. */
export interface KeyItemStorage {
  entries(): Iterable<readonly [string, StoredKeyItem]>;
  /** Durable before it resolves. */
  put(key: string, item: StoredKeyItem): Promise<void>;
  /** Resolves when later `entries` do not contain the key. It need not be durable: if an intent comes back after a crash, its next holder settles it. */
  remove(key: string): Promise<void>;
  close(): Promise<void>;
}

/** How long an item without failures, wake-up and intent is kept for its `syncedFromMs`: longer than a message can be delayed. */
const FORGET_AFTER_MS = 1_000_000;

/** The wake-up time of a key whose intent was restored: always overdue. */
const RESTORED_WAKE_AT_MS = 0;

interface KeyRecord {
  item: KeyItem;
  holder: string | undefined;
  untilMs: number;
  /** How often this lock was met by another worker. */
  marks: number;
  /** Those that the marks named. */
  traces: readonly KeyTrace[];
  /** The pending write of an intent. The next holder waits for it, since it must not act on an intent that could still be lost. */
  saving: Promise<void>;
  isSaved: boolean;
}

/**
 * Key locks in memory. Only intents are kept in a storage, if there is one. After a restart every lock is free, since its holder ended with the process, and
 * the rest of an item is made anew, since the key of every object is synced. A key with an intent is overdue until it is synced too: its object may be gone, and then nothing else
 * queues the key. The times of a stored item are those of the clock of a process that has ended: if they were restored and that clock was ahead, they would
 * satisfy messages for as long as it was ahead.
 */
export class EmbeddedKeyLocks implements KeyLocks {
  readonly #records = new Map<string, KeyRecord>();
  /** The keys with a wake-up, and those whose intent was restored. */
  readonly #waking = new Set<string>();
  /** The keys whose item has no failures, wake-up or intent, in the order of their release. */
  readonly #idle = new Set<string>();
  readonly #storage: KeyItemStorage | undefined;

  constructor(storage?: KeyItemStorage) {
    this.#storage = storage;
    for (const [key, { intent }] of storage?.entries() ?? []) {
      const item = { failures: 0, ...(intent && { intent: decodeIntent(intent) }) };
      this.#records.set(key, { ...newRecord(), item, isSaved: true });
      this.#waking.add(key);
    }
  }

  async acquire(
    key: WorkKey,
    holder: string,
    nowMs: number,
    untilMs: number,
    traces: readonly KeyTrace[] = [],
  ): Promise<AcquireOutcome> {
    const encoded = encodeWorkKey(key);
    await this.#records.get(encoded)?.saving;
    const record = this.#recordOf(encoded);
    if (record.holder !== undefined && record.untilMs > nowMs && record.untilMs <= nowMs + MAX_LOCK_MS) {
      record.marks += 1;
      record.traces = joinTraces(record.traces, traces);
      return { status: 'held', untilMs: record.untilMs };
    }
    record.holder = holder;
    record.untilMs = untilMs;
    record.marks = 0;
    record.traces = [];
    this.#idle.delete(encoded);
    return { status: 'acquired', item: record.item };
  }

  async recordIntent(key: WorkKey, holder: string, intent: Intent | undefined): Promise<'recorded' | 'lost'> {
    const encoded = encodeWorkKey(key);
    const record = this.#records.get(encoded);
    if (record?.holder !== holder) return 'lost';
    const { intent: _, ...rest } = record.item;
    record.item = intent ? { ...rest, intent } : rest;
    await this.#save(encoded, record);
    return 'recorded';
  }

  async release(key: WorkKey, holder: string, item: KeyItem, coveredMarks = 0): Promise<ReleaseOutcome> {
    const encoded = encodeWorkKey(key);
    const record = this.#records.get(encoded);
    if (record?.holder !== holder) return { status: 'lost' };
    if (record.marks > coveredMarks) return dirty(record);
    const intentChanged = record.item.intent !== item.intent;
    Object.assign(record, { item, holder: undefined, untilMs: 0, marks: 0, traces: [] });
    this.#index(encoded, item);
    if (intentChanged) await this.#save(encoded, record);
    return { status: 'released' };
  }

  async overdue(beforeMs: number, limit: number): Promise<readonly WorkKey[]> {
    const overdue = [...this.#waking]
      .map((encoded) => ({ encoded, wakeAtMs: this.#records.get(encoded)?.item.wakeAtMs ?? RESTORED_WAKE_AT_MS }))
      .filter(({ wakeAtMs }) => wakeAtMs < beforeMs)
      .sort((a, b) => a.wakeAtMs - b.wakeAtMs);
    return overdue.slice(0, limit).flatMap(({ encoded }) => parseWorkKey(encoded) ?? []);
  }

  async peek(key: WorkKey): Promise<(KeyItem & { readonly heldUntilMs?: number }) | undefined> {
    const record = this.#records.get(encodeWorkKey(key));
    if (!record) return undefined;
    return record.holder === undefined ? record.item : { ...record.item, heldUntilMs: record.untilMs };
  }

  async close(): Promise<void> {
    await this.#storage?.close();
  }

  #recordOf(encoded: string): KeyRecord {
    const known = this.#records.get(encoded);
    if (known) return known;
    const record = newRecord();
    this.#records.set(encoded, record);
    return record;
  }

  async #save(encoded: string, record: KeyRecord): Promise<void> {
    if (!this.#storage) return;
    const { item, isSaved } = record;
    if (!item.intent && !isSaved) return;
    record.isSaved = item.intent !== undefined;
    const { intent, ...rest } = item;
    const saved = intent
      ? this.#storage.put(encoded, { ...rest, intent: encodeIntent(intent) })
      : this.#storage.remove(encoded);
    record.saving = saved.catch(() => {});
    // A removal need not be awaited: if the intent comes back after a crash, its next holder settles it.
    if (item.intent) await saved;
  }

  #index(encoded: string, item: KeyItem): void {
    if (item.wakeAtMs === undefined) this.#waking.delete(encoded);
    else this.#waking.add(encoded);
    const saysNothing = item.failures === 0 && item.wakeAtMs === undefined && !item.intent;
    if (!saysNothing) return;
    this.#idle.delete(encoded);
    this.#idle.add(encoded);
    this.#forgetBefore((item.syncedFromMs ?? 0) - FORGET_AFTER_MS);
  }

  /** Reads only the oldest keys, since idle keys are in the order of their release. */
  #forgetBefore(timeMs: number): void {
    for (const encoded of this.#idle) {
      if ((this.#records.get(encoded)?.item.syncedFromMs ?? 0) >= timeMs) return;
      this.#idle.delete(encoded);
      this.#records.delete(encoded);
    }
  }
}

function dirty({ marks, traces }: KeyRecord): ReleaseOutcome {
  return { status: 'dirty', marks, ...(traces.length > 0 && { traces }) };
}

function newRecord(): KeyRecord {
  return {
    item: { failures: 0 },
    holder: undefined,
    untilMs: 0,
    marks: 0,
    traces: [],
    saving: Promise.resolve(),
    isSaved: false,
  };
}
