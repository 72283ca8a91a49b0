import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { compareIntegerKeys, compareKeys, freePages } from './checkLmdbFile.ts';
import type { JournalEntry } from './Journal.ts';
import { decodeJournalRecord, decodeKey } from './journalRecord.ts';
import { LmdbFile, type LmdbMeta, type LmdbTree } from './LmdbFile.ts';
import { type LmdbRecord, LmdbTreeReader } from './LmdbTreeReader.ts';
import { DATABASE_FILE } from './openLmdb.ts';
import { placeOf } from './Tombstones.ts';

/** The directory of the journal's database inside a data directory. */
export const JOURNAL_DIRECTORY = 'journal';

/** What can be read of a journal. */
export interface Salvage {
  /**
   * The newest readable state of each object. Namespaces come first, then what controllers own: when the list is applied in this order, the owners find their
   * objects and adopt them.
   */
  readonly objects: readonly KubernetesObject[];
  /** How many records could not be read; at least, if the file's own count of its records cannot be read. */
  readonly unreadableCount: number;
  /** The first damage found; undefined if the journal is whole. */
  readonly damage: string | undefined;
}

/**
 * Reads the objects of the journal in a data directory, without LMDB, which a damaged file would crash. The pages of a whole journal are read as its trees order
 * them. If a page is damaged, every other page of the file is searched for records, too. Such a page may hold an object that was deleted later.
 * Nobody may write the journal meanwhile. Throws Node's error if the file cannot be opened.
 */
export function salvageJournal(directory: string): Salvage {
  const file = LmdbFile.open(join(directory, JOURNAL_DIRECTORY, DATABASE_FILE));
  try {
    return new JournalReader(file).read();
  } finally {
    file.close();
  }
}

/** Returns the end of an error message: what can still be read of a damaged journal, and how. */
export function describeRescue(directory: string): string {
  if (!existsSync(join(directory, JOURNAL_DIRECTORY, DATABASE_FILE))) return 'no object can be read';
  const { length } = salvageJournal(directory).objects;
  if (length === 0) return 'no object can be read';
  return `${length} objects can still be read: driftless export --salvage --data-dir ${directory}`;
}

class JournalReader {
  readonly #file: LmdbFile;
  readonly #newest = new Map<string, JournalEntry>();
  readonly #readKeys = new Set<unknown>();
  #damagedCount = 0;
  #damage: string | undefined;

  constructor(file: LmdbFile) {
    this.#file = file;
  }

  read(): Salvage {
    const metas = this.#file.metas();
    this.#noteIfDamaged(() => this.#file.newestMeta());
    const readers = (this.#damage ? metas : metas.slice(0, 1)).map((meta) => this.#readTree(meta));
    if (this.#damage) this.#readLoosePages(readers[0] ?? this.#readerWithoutMeta(), freePagesOf(this.#file, metas[0]));
    const expectedCount = metas[0]?.main.entries ?? 0;
    const unreadableCount = Math.max(this.#damagedCount, expectedCount - this.#readKeys.size);
    return { objects: this.#objects(), unreadableCount, damage: this.#damage };
  }

  #readTree(meta: LmdbMeta): LmdbTreeReader {
    const reader = new LmdbTreeReader(this.#file, meta, (error) => this.#note(error));
    for (const record of reader.records(meta.main, compareKeys)) this.#take(record);
    return reader;
  }

  #readLoosePages(reader: LmdbTreeReader, free: ReadonlySet<number>): void {
    for (let page = 2; page < reader.filePageCount; page += 1) {
      if (free.has(page)) continue;
      for (const record of reader.looseRecords(page)) this.#take(record, { isLoose: true });
    }
  }

  #readerWithoutMeta(): LmdbTreeReader {
    const noTree: LmdbTree = { depth: 0, branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0, root: undefined };
    const everything = { lastPage: Number.MAX_SAFE_INTEGER, transaction: Number.POSITIVE_INFINITY };
    return new LmdbTreeReader(this.#file, { pageBytes: 4096, free: noTree, main: noTree, ...everything }, () => {});
  }

  #take({ key, value }: LmdbRecord, { isLoose = false } = {}): void {
    try {
      const decodedKey = decodeKey(key);
      const { entry } = decodeJournalRecord(decodedKey, value.toString());
      this.#readKeys.add(decodedKey);
      if (entry) this.#keepNewest(entry);
    } catch (error) {
      // A loose page may be one of the free pages' lists, and no record at all.
      if (isLoose) return;
      this.#damagedCount += 1;
      this.#note(error);
    }
  }

  #keepNewest(entry: JournalEntry): void {
    const place = placeOf(entry);
    if ((this.#newest.get(place)?.version ?? 0) < entry.version) this.#newest.set(place, entry);
  }

  #noteIfDamaged(read: () => unknown): void {
    try {
      read();
    } catch (error) {
      this.#note(error);
    }
  }

  #note(error: unknown): void {
    this.#damage ??= error instanceof Error ? error.message : String(error);
  }

  #objects(): readonly KubernetesObject[] {
    const entries = [...this.#newest.values()].filter((entry) => entry.type === 'PUT');
    const ranked = entries.map((entry) => ({ rank: `${rankOf(entry)}/${placeOf(entry)}`, object: entry.object }));
    return ranked.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ object }) => object);
  }
}

function rankOf({ resource, object }: Extract<JournalEntry, { type: 'PUT' }>): number {
  if (resource === 'namespaces') return 0;
  return object.metadata.ownerReferences?.some(({ controller }) => controller) ? 1 : 2;
}

/** Returns the free pages, as far as they can be read. They are left out of a search, because they hold what was deleted or replaced. */
function freePagesOf(file: LmdbFile, meta: LmdbMeta | undefined): ReadonlySet<number> {
  const free = new Set<number>();
  if (!meta) return free;
  const reader = new LmdbTreeReader(file, meta, () => {});
  try {
    for (const { value } of reader.records(meta.free, compareIntegerKeys)) {
      for (const page of freePages(file, meta, value)) free.add(page);
    }
  } catch {
    // The rest of the lists is damaged, so their pages are searched.
  }
  return free;
}
