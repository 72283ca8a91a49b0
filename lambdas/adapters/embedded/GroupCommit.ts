import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Journal, JournalEntry, NewEntry } from './Journal.ts';
import type { StoreHealth } from './StoreHealth.ts';
import { placeOf } from './Tombstones.ts';

/** A write that is decided and not yet durable. `object` is its result; `undefined` for a deletion or a burn. */
export interface PendingWrite {
  readonly version: number;
  readonly object: KubernetesObject | undefined;
  /** Resolves when the write is durable and can be read. */
  readonly durable: Promise<void>;
}

interface Batch {
  readonly entries: NewEntry[];
  readonly durable: Promise<void>;
  readonly end: (error?: Error) => void;
}

/**
 * Makes decided writes durable, many with one flush: while one batch is flushed, the next one gathers. New writes are decided against the pending writes
 * first, then against the durable state. Readers see a write only when it is durable, so a crash never takes back a state that was read.
 */
export class GroupCommit {
  readonly #journal: Journal;
  readonly #health: StoreHealth;
  readonly #show: (entries: readonly JournalEntry[]) => void;
  readonly #pending = new Map<string, PendingWrite>();
  #gathering: Batch | undefined;
  #running: Promise<void> | undefined;

  /** `show` gets each batch when it is durable, in the order of versions. */
  constructor(journal: Journal, health: StoreHealth, show: (entries: readonly JournalEntry[]) => void) {
    this.#journal = journal;
    this.#health = health;
    this.#show = show;
  }

  pendingAt(place: string): PendingWrite | undefined {
    return this.#pending.get(place);
  }

  /** Resolves when the entry is durable and shown. Entries must be given in the order of their versions. */
  write(newEntry: NewEntry): Promise<void> {
    const { entry } = newEntry;
    this.#gathering ??= newBatch();
    const { entries, durable } = this.#gathering;
    entries.push(newEntry);
    const object = entry.type === 'PUT' ? entry.object : undefined;
    this.#pending.set(placeOf(entry), { version: entry.version, object, durable });
    this.#running ??= this.#run();
    return durable;
  }

  /** Resolves when no write is pending. */
  async drained(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#gathering) {
      await this.#journal.gathered();
      const batch = this.#gathering;
      this.#gathering = undefined;
      await this.#commit(batch);
    }
    this.#running = undefined;
  }

  async #commit(batch: Batch): Promise<void> {
    try {
      if (this.#health.hasFailed) throw new Error('an earlier write failed');
      await this.#journal.append(batch.entries);
      const entries = batch.entries.map(({ entry }) => entry);
      for (const entry of entries) this.#forget(entry);
      this.#show(entries);
      batch.end();
    } catch (error) {
      this.#health.fail(error);
      batch.end(new Error('the write may not have become durable', { cause: error }));
    }
  }

  #forget(entry: JournalEntry): void {
    const place = placeOf(entry);
    if (this.#pending.get(place)?.version === entry.version) this.#pending.delete(place);
  }
}

function newBatch(): Batch {
  let end: Batch['end'] = () => {};
  const durable = new Promise<void>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve());
  });
  return { entries: [], durable, end };
}
