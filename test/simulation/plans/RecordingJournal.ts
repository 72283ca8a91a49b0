import type { JournalEntry, NewEntry } from '../../../lambdas/adapters/embedded/Journal.ts';
import { MemoryJournal } from '../../../lambdas/adapters/embedded/MemoryJournal.ts';

/** A journal that can be read as it once was. */
export class RecordingJournal extends MemoryJournal {
  readonly #written: JournalEntry[] = [];

  override append(entries: readonly NewEntry[]): Promise<void> {
    this.#written.push(...entries.map(({ entry }) => entry));
    return super.append(entries);
  }

  /** The version of the last write that meets a condition, and came after that version. */
  lastVersion(after: number, meets: (entry: JournalEntry) => boolean): number | undefined {
    return this.#written.findLast((entry) => entry.version > after && meets(entry))?.version;
  }

  /** The journal as it was just before the write of that version. */
  async before(version: number): Promise<MemoryJournal> {
    const journal = new MemoryJournal();
    await journal.append(this.#written.filter((entry) => entry.version < version).map((entry) => ({ entry })));
    return journal;
  }
}
