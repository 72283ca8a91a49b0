import { setImmediate } from 'node:timers/promises';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Journal, JournalEntry, NewEntry } from './Journal.ts';
import type { StoreHealth } from './StoreHealth.ts';
import { placeOf } from './Tombstones.ts';

/** A write that is decided and not yet durable. `object` is what has the name after it; `undefined` for nothing. */
export interface PendingWrite {
  readonly version: number;
  readonly object: KubernetesObject | undefined;
  /** Resolves when the write is durable and can be read. */
  readonly durable: Promise<void>;
}

interface Batch {
  readonly entries: NewEntry[];
  readonly writers: Writers[];
}

/** Those who wait for the same batch, and go on in the same turn of the event loop. */
interface Writers {
  count: number;
  readonly durable: Promise<void>;
  readonly release: (error?: Error) => void;
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
  readonly #toRelease: Writers[] = [];
  #gathering: Batch | undefined;
  #running: Promise<void> | undefined;
  #isReleasing = false;

  /** `show` gets each batch when it is durable, in the order of versions. */
  constructor(journal: Journal, health: StoreHealth, show: (entries: readonly JournalEntry[]) => void) {
    this.#journal = journal;
    this.#health = health;
    this.#show = show;
  }

  pendingAt(place: string): PendingWrite | undefined {
    return this.#pending.get(place);
  }

  /** Resolves when the entry is durable and shown. Entries must be given in the order of their versions. `object`: what has the name after it. */
  write(newEntry: NewEntry, object?: KubernetesObject): Promise<void> {
    const { entry } = newEntry;
    this.#gathering ??= { entries: [], writers: [] };
    const { entries, writers } = this.#gathering;
    entries.push(newEntry);
    const { durable } = this.#joined(writers);
    this.#pending.set(placeOf(entry), { version: entry.version, object, durable });
    this.#running ??= this.#run();
    return durable;
  }

  /** Adds a writer to the last ones, unless they are as many as may go on in one turn. */
  #joined(all: Writers[]): Writers {
    let last = all.at(-1);
    if (!last || last.count >= this.#journal.writersInTurn) {
      last = newWriters();
      all.push(last);
    }
    last.count += 1;
    return last;
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
    } catch (error) {
      this.#health.fail(error);
      const failure = new Error('the write may not have become durable', { cause: error });
      for (const { release } of batch.writers) release(failure);
      return;
    }
    this.#toRelease.push(...batch.writers);
    if (!this.#isReleasing) void this.#release();
  }

  /** Lets the writers go on. What they do next takes long if they are many, so requests are served between them; meanwhile, the next batch is written. */
  async #release(): Promise<void> {
    this.#isReleasing = true;
    for (let writers = this.#toRelease.shift(); writers; writers = this.#toRelease.shift()) {
      writers.release();
      if (this.#toRelease.length > 0) await setImmediate();
    }
    this.#isReleasing = false;
  }

  #forget(entry: JournalEntry): void {
    const place = placeOf(entry);
    if (this.#pending.get(place)?.version === entry.version) this.#pending.delete(place);
  }
}

function newWriters(): Writers {
  let release: Writers['release'] = () => {};
  const durable = new Promise<void>((resolve, reject) => {
    release = (error) => (error ? reject(error) : resolve());
  });
  return { count: 0, durable, release };
}
