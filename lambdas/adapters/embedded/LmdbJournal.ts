import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { DataDirectoryError } from './DataDirectoryError.ts';
import { frozenCopy } from './frozenCopy.ts';
import type { Journal, JournalEntry, NewEntry, Trimming } from './Journal.ts';
import { lockDirectory } from './lockDirectory.ts';
import { openLmdb } from './openLmdb.ts';

const FORMAT_KEY = 'format';
const FORMAT = '1';
const FLOOR_PREFIX = 'floor:';

/**
 * The journal in an LMDB database. Each entry is one record under its version, so one put both writes the entry and advances the store's counter. The
 * database also holds the floors. Records that are put together share a transaction and its flush.
 */
export class LmdbJournal implements Journal {
  readonly #directory: string;
  readonly #records: RootDatabase<string, string | number>;
  readonly #unlock: () => Promise<void>;
  #isNew: boolean;

  private constructor(directory: string, records: RootDatabase<string, string | number>, unlock: () => Promise<void>) {
    this.#directory = directory;
    this.#records = records;
    this.#unlock = unlock;
    this.#isNew = records.get(FORMAT_KEY) === undefined;
  }

  /** Opens or creates the journal in `directory`, and locks the directory. Throws a DataDirectoryError if the directory cannot be used. */
  static open(directory: string): LmdbJournal {
    let unlock: (() => Promise<void>) | undefined;
    try {
      unlock = lockDirectory(directory);
      return new LmdbJournal(directory, openRecords(directory), unlock);
    } catch (error) {
      void unlock?.();
      throw asDataDirectoryError(directory, error);
    }
  }

  floors(): ReadonlyMap<GroupResource, number> {
    const floors = new Map<GroupResource, number>();
    for (const { key, value } of this.#records.getRange({ start: FLOOR_PREFIX, end: `${FLOOR_PREFIX}\uffff` })) {
      floors.set(String(key).slice(FLOOR_PREFIX.length), Number(value));
    }
    return floors;
  }

  *entries(): Iterable<JournalEntry> {
    try {
      for (const { key, value } of this.#records.getRange({ start: 0, end: Number.POSITIVE_INFINITY })) {
        yield decode(Number(key), value);
      }
    } catch (error) {
      throw asDataDirectoryError(this.#directory, error);
    }
  }

  /** Waits for the rest of this turn of the event loop, in which the writers that the last flush released write again. */
  gathered(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  async append(entries: readonly NewEntry[]): Promise<void> {
    const puts = entries.map((newEntry) => this.#records.put(newEntry.entry.version, encode(newEntry)));
    if (this.#isNew) puts.push(this.#records.put(FORMAT_KEY, FORMAT));
    this.#isNew = false;
    await Promise.all(puts);
    await this.#records.flushed;
  }

  async trim({ versions, floors }: Trimming): Promise<void> {
    await this.#records.batch(() => {
      for (const [resource, floor] of floors) void this.#records.put(FLOOR_PREFIX + resource, String(floor));
      for (const version of versions) void this.#records.remove(version);
    });
  }

  async close(): Promise<void> {
    await this.#records.close();
    await this.#unlock();
  }
}

/** Opens the database. Throws if a later release has written it in another format. */
function openRecords(directory: string): RootDatabase<string, string | number> {
  const records = openLmdb(join(directory, 'journal'));
  const format = records.get(FORMAT_KEY) ?? FORMAT;
  if (format === FORMAT) return records;
  void records.close();
  throw new Error(`its journal has the format ${format}, and this release knows only ${FORMAT}`);
}

/** Encodes the entry as JSON without its version, which is the key. */
function encode({ entry, json }: NewEntry): string {
  const { version: _, ...rest } = entry;
  if (rest.type !== 'PUT') return JSON.stringify(rest);
  const { object, ...place } = rest;
  return `${JSON.stringify(place).slice(0, -1)},"object":${json ?? JSON.stringify(object)}}`;
}

function decode(version: number, value: string): JournalEntry {
  const entry = { ...(JSON.parse(value) as JournalEntry), version };
  const isWhole = entry.type === 'PUT' ? entry.object?.metadata?.name === entry.name : entry.uid !== undefined;
  if (!isWhole || !entry.resource) throw new Error(`entry ${version} of its journal is damaged`);
  return frozenCopy(entry);
}

function asDataDirectoryError(directory: string, error: unknown): DataDirectoryError {
  if (error instanceof DataDirectoryError) return error;
  const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return new DataDirectoryError(directory, `cannot be used: ${why}`, { cause: error });
}
