import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Journal, JournalEntry, NewEntry, Trimming } from './Journal.ts';

/**
 * A journal in memory, without I/O and timers. An append ends within a microtask, so that a run can be replayed exactly, unless the process is given a turn
 * before it. A second store opened on the same journal finds the entries of the first one, as after a crash.
 */
export class MemoryJournal implements Journal {
  readonly writersInTurn = Number.POSITIVE_INFINITY;
  readonly #entries = new Map<number, JournalEntry>();
  readonly #floors = new Map<GroupResource, number>();

  readonly #giveTurn: () => Promise<void>;

  /** `giveTurn` is awaited before each append, and may serve what else the process has to do. */
  constructor(giveTurn = () => Promise.resolve()) {
    this.#giveTurn = giveTurn;
  }

  floors(): ReadonlyMap<GroupResource, number> {
    return new Map(this.#floors);
  }

  entries(): Iterable<JournalEntry> {
    return [...this.#entries.values()];
  }

  gathered(): Promise<void> {
    return this.#giveTurn();
  }

  append(entries: readonly NewEntry[]): Promise<void> {
    for (const { entry } of entries) this.#entries.set(entry.version, entry);
    return Promise.resolve();
  }

  trim({ versions, floors }: Trimming): Promise<void> {
    for (const version of versions) this.#entries.delete(version);
    for (const [resource, floor] of floors) this.#floors.set(resource, floor);
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
