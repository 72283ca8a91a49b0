import type { Entry, SortKey } from './SortedEntries.ts';

interface Past {
  readonly atMs: number;
  readonly sort: SortKey;
  /** The entry until then. */
  readonly before: Entry | undefined;
}

/** The changes of the last moments in one collection, from which the state a moment ago is known. */
export class History {
  readonly #keptMs: number;
  #past: Past[] = [];

  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  note(nowMs: number, sort: SortKey, before: Entry | undefined): void {
    const [oldest] = this.#past;
    // Dropped in bulk, so that a change costs little.
    if (oldest && oldest.atMs < nowMs - 2 * this.#keptMs) {
      this.#past = this.#past.filter(({ atMs }) => atMs >= nowMs - this.#keptMs);
    }
    this.#past.push({ atMs: nowMs, sort, before });
  }

  /** Returns the entry as it was at that time. */
  entryAt(atMs: number, sort: SortKey, present: Entry | undefined): Entry | undefined {
    const later = this.#past.find((past) => past.atMs > atMs && past.sort === sort);
    return later ? later.before : present;
  }

  /** Returns the entries of that time which were other ones than now, by their sort keys; of them those for which `isWanted`. */
  differencesAt(atMs: number, isWanted: () => boolean): ReadonlyMap<SortKey, Entry | undefined> {
    const differences = new Map<SortKey, Entry | undefined>();
    for (const past of this.#past) {
      if (past.atMs > atMs && !differences.has(past.sort)) differences.set(past.sort, past.before);
    }
    for (const sort of differences.keys()) if (!isWanted()) differences.delete(sort);
    return differences;
  }
}
