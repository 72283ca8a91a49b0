import type { AcquireOutcome, Intent, KeyItem, KeyLocks } from '../../ports/KeyLocks.ts';
import { encodeWorkKey, parseWorkKey, type WorkKey } from '../../ports/WorkKey.ts';

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

/** How long an item that says nothing is kept for its `syncedFromMs`: the longest time for which a message can have been hidden. */
const FORGET_AFTER_MS = 1_000_000;

interface KeyRecord {
  item: KeyItem;
  holder: string | undefined;
  untilMs: number;
  dirty: boolean;
  /** The write of an intent that is under way: who takes the key over must not act on one that could still be lost. */
  saving: Promise<void>;
  isSaved: boolean;
}

/**
 * Key locks in memory, with intents (and nothing else) in a storage that outlives the process, if there is one. Opening it frees every lock: their
 * holders were in a process that is gone. What else an item holds is made anew after a restart, when every key is synced.
 */
export class EmbeddedKeyLocks implements KeyLocks {
  readonly #records = new Map<string, KeyRecord>();
  /** Keys with a wake-up. */
  readonly #waking = new Set<string>();
  /** Keys whose item says nothing, the longest untouched first. */
  readonly #idle = new Set<string>();
  readonly #storage: KeyItemStorage | undefined;

  constructor(storage?: KeyItemStorage) {
    this.#storage = storage;
    for (const [key, item] of storage?.entries() ?? []) {
      this.#records.set(key, { ...newRecord(), item, isSaved: true });
    }
  }

  async acquire(key: WorkKey, holder: string, nowMs: number, untilMs: number): Promise<AcquireOutcome> {
    const encoded = encodeWorkKey(key);
    await this.#records.get(encoded)?.saving;
    const record = this.#recordOf(encoded);
    if (record.holder !== undefined && record.untilMs > nowMs) {
      record.dirty = true;
      return { status: 'held', untilMs: record.untilMs };
    }
    record.holder = holder;
    record.untilMs = untilMs;
    record.dirty = false;
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

  async release(
    key: WorkKey,
    holder: string,
    item: KeyItem,
    options: { readonly resent?: boolean } = {},
  ): Promise<'released' | 'dirty' | 'lost'> {
    const encoded = encodeWorkKey(key);
    const record = this.#records.get(encoded);
    if (record?.holder !== holder) return 'lost';
    if (record.dirty && !options.resent) return 'dirty';
    const intentChanged = record.item.intent !== item.intent;
    Object.assign(record, { item, holder: undefined, untilMs: 0, dirty: false });
    this.#index(encoded, item);
    if (intentChanged) await this.#save(encoded, record);
    return 'released';
  }

  async overdue(beforeMs: number, limit: number): Promise<readonly WorkKey[]> {
    const overdue = [...this.#waking]
      .map((encoded) => ({ encoded, wakeAtMs: this.#records.get(encoded)?.item.wakeAtMs ?? Number.POSITIVE_INFINITY }))
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
    const saved = item.intent ? this.#storage.put(encoded, item) : this.#storage.remove(encoded);
    record.saving = saved.catch(() => {});
    // Nobody need wait for a removal: an intent that comes back is settled by its next holder.
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

  /** The idle keys stand in the order of their release, so that the oldest are found without looking at the others. */
  #forgetBefore(timeMs: number): void {
    for (const encoded of this.#idle) {
      if ((this.#records.get(encoded)?.item.syncedFromMs ?? 0) >= timeMs) return;
      this.#idle.delete(encoded);
      this.#records.delete(encoded);
    }
  }
}

function newRecord(): KeyRecord {
  return {
    item: { failures: 0 },
    holder: undefined,
    untilMs: 0,
    dirty: false,
    saving: Promise.resolve(),
    isSaved: false,
  };
}
