import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { compactJournal } from './compactJournal.ts';
import { DataDirectoryError } from './DataDirectoryError.ts';
import { explainWriteError } from './explainWriteError.ts';
import type { Journal, JournalEntry, NewEntry, Trimming } from './Journal.ts';
import {
  decodeFloor,
  decodeJournalRecord,
  encodeEntry,
  encodeFloor,
  FLOOR_PREFIX,
  FORMAT,
  FORMAT_KEY,
  isKnownFormat,
} from './journalRecord.ts';
import { DatabaseDamage } from './LmdbFile.ts';
import { lockDirectory } from './lockDirectory.ts';
import { DATABASE_FILE, openLmdb } from './openLmdb.ts';
import { describeRescue, JOURNAL_DIRECTORY } from './salvageJournal.ts';

/**
 * The journal in an LMDB database. Each entry is one record under its version, so one put both writes the entry and advances the store's counter. The
 * database also holds the floors. Each record has a checksum. Records that are put together share a transaction and its flush.
 */
export class LmdbJournal implements Journal {
  readonly writersInTurn = 8;
  readonly #directory: string;
  readonly #records: RootDatabase<string, string | number>;
  readonly #unlock: () => Promise<void>;
  #writesFormat: boolean;

  private constructor(directory: string, records: RootDatabase<string, string | number>, unlock: () => Promise<void>) {
    this.#directory = directory;
    this.#records = records;
    this.#unlock = unlock;
    this.#writesFormat = records.get(FORMAT_KEY) !== FORMAT;
  }

  /** Opens or creates the journal in `directory`, and locks the directory. Throws a DataDirectoryError if the directory cannot be used. */
  static open(directory: string): LmdbJournal {
    const unlock = lockOrThrow(directory);
    try {
      assertNotLost(directory);
      return new LmdbJournal(directory, openRecords(directory, false), unlock);
    } catch (error) {
      void unlock();
      throw asDataDirectoryError(directory, error);
    }
  }

  /** Like `open`, but first copies a journal whose file is mostly free space into a smaller file. LMDB never shrinks a file. */
  static async openCompact(directory: string): Promise<LmdbJournal> {
    const unlock = lockOrThrow(directory);
    try {
      assertNotLost(directory);
      const isChecked = await compactJournal(join(directory, JOURNAL_DIRECTORY));
      return new LmdbJournal(directory, openRecords(directory, isChecked), unlock);
    } catch (error) {
      await unlock();
      throw asDataDirectoryError(directory, error);
    }
  }

  floors(): ReadonlyMap<GroupResource, number> {
    try {
      const range = this.#records.getRange({ start: FLOOR_PREFIX, end: `${FLOOR_PREFIX}\uffff` });
      return new Map([...range].map(({ key, value }) => decodeFloor(String(key), value)));
    } catch (error) {
      throw asDataDirectoryError(this.#directory, asDamage(error));
    }
  }

  *entries(): Iterable<JournalEntry> {
    try {
      let recordCount = 0;
      for (const { key, value } of this.#records.getRange()) {
        recordCount += 1;
        const record = decodeJournalRecord(key, value);
        if (record.entry) yield record.entry;
      }
      // A damaged key may lie outside of the range.
      const { entryCount } = this.#records.getStats() as { entryCount: number };
      if (recordCount !== entryCount)
        throw new DatabaseDamage(`${entryCount - recordCount} records of its journal are damaged`);
    } catch (error) {
      throw asDataDirectoryError(this.#directory, asDamage(error));
    }
  }

  /** Waits for the rest of this turn of the event loop, in which the writers that the last flush released write again. */
  gathered(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  async append(entries: readonly NewEntry[]): Promise<void> {
    const puts = entries.map((newEntry) => this.#records.put(newEntry.entry.version, encodeEntry(newEntry)));
    if (this.#writesFormat) puts.push(this.#records.put(FORMAT_KEY, FORMAT));
    this.#writesFormat = false;
    await this.#durable(puts);
  }

  async trim({ versions, floors }: Trimming): Promise<void> {
    const writes: Promise<boolean>[] = [];
    const batch = this.#records.batch(() => {
      for (const [resource, floor] of floors) writes.push(this.#records.put(...encodeFloor(resource, floor)));
      for (const version of versions) writes.push(this.#records.remove(version));
    });
    await this.#durable([batch, ...writes]);
  }

  async close(): Promise<void> {
    try {
      await this.#records.close();
    } finally {
      await this.#unlock();
    }
  }

  /** Resolves when these writes are flushed. If the disk fails, lmdb rejects every one of its promises; one left alone would end the process. */
  async #durable(writes: readonly Promise<boolean>[]): Promise<void> {
    try {
      await Promise.all([...writes, this.#records.flushed]);
    } catch (error) {
      throw explainWriteError(this.#directory, await commitErrorOf(error));
    }
  }
}

/** The reason of a failed commit, which lmdb gives as a rejected promise. */
async function commitErrorOf(error: unknown): Promise<unknown> {
  try {
    await (error as { readonly commitError?: Promise<never> }).commitError;
    return error;
  } catch (reason) {
    return reason;
  }
}

function lockOrThrow(directory: string): () => Promise<void> {
  try {
    return lockDirectory(directory);
  } catch (error) {
    throw asDataDirectoryError(directory, error);
  }
}

/** Throws if the directory was used before and its journal is gone. The key items are only created after the journal, and earlier releases left no other mark. */
function assertNotLost(directory: string): void {
  const path = join(directory, JOURNAL_DIRECTORY, DATABASE_FILE);
  if (sizeOf(path) > 0 || sizeOf(join(directory, 'keys', DATABASE_FILE)) === 0) return;
  throw new DatabaseDamage(
    `${path} is ${existsSync(path) ? 'empty' : 'missing'}, but the directory has been used before`,
  );
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Opens the database. Throws if a later release has written it in another format. */
function openRecords(directory: string, isChecked: boolean): RootDatabase<string, string | number> {
  const records = openLmdb(join(directory, JOURNAL_DIRECTORY), isChecked);
  const format = records.get(FORMAT_KEY) ?? FORMAT;
  if (isKnownFormat(format)) return records;
  void records.close();
  throw new Error(`its journal has the format ${format}, and this release knows only 1 and ${FORMAT}`);
}

/** lmdb throws errors of many kinds for a key that it did not write. */
function asDamage(error: unknown): unknown {
  if (error instanceof DatabaseDamage || error instanceof DataDirectoryError) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new DatabaseDamage(`a key of its journal is damaged: ${why}`, { cause: error });
}

function asDataDirectoryError(directory: string, error: unknown): DataDirectoryError {
  if (error instanceof DataDirectoryError) return error;
  const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
  const rescue = error instanceof DatabaseDamage ? `; ${describeRescue(directory)}` : '';
  return new DataDirectoryError(directory, `cannot be used: ${why}${rescue}`, { cause: error });
}
