import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { addChecksum, hasChecksum } from './checksum.ts';
import { decodeJournalRecord, FORMAT, FORMAT_KEY } from './journalRecord.ts';
import { DatabaseDamage } from './LmdbFile.ts';
import { checkLmdb, DATABASE_FILE, openUnchecked } from './openLmdb.ts';

interface JournalRecord {
  readonly key: string | number;
  readonly value: string;
}

const COPY = 'compacting.mdb';
const LMDB_FILES = [COPY, `${COPY}-lock`];
/** Smaller files are left as they are. */
const WORTHWHILE_BYTES = 32 * 2 ** 20;
const BATCH_BYTES = 16 * 2 ** 20;

/**
 * Copies the journal's records into a new file and renames it over the old one, if the old one is large and more than half of it is free. A crash leaves either
 * the old file or the new one. A copy that fails, for example because the disk is full, is given up, since the old file is still good. Records without checksum get
 * one. Nobody else may use the directory. Returns true if the file that is there now has been checked. Throws if the journal cannot be used.
 */
export async function compactJournal(directory: string, worthwhileBytes = WORTHWHILE_BYTES): Promise<boolean> {
  for (const name of LMDB_FILES) rmSync(join(directory, name), { force: true });
  const { size = 0 } = statSync(join(directory, DATABASE_FILE), { throwIfNoEntry: false }) ?? {};
  const use = size > worthwhileBytes ? checkLmdb(directory) : undefined;
  if (!use) return false;
  if (use.usedPages > use.pages / 2) return true;
  try {
    await copyRecords(directory, join(directory, COPY));
    syncToDisk(join(directory, COPY));
    renameSync(join(directory, COPY), join(directory, DATABASE_FILE));
    // LMDB's file of locks holds the number of the old file's last transaction.
    rmSync(join(directory, 'lock.mdb'), { force: true });
    syncToDisk(directory);
    return false;
  } catch (error) {
    if (error instanceof DatabaseDamage) throw error;
    return false;
  } finally {
    for (const name of LMDB_FILES) rmSync(join(directory, name), { force: true });
  }
}

async function copyRecords(from: string, to: string): Promise<void> {
  const source = openUnchecked(from);
  const copy = openUnchecked(to);
  try {
    for (const batch of batches(source)) await Promise.all(batch.map(({ key, value }) => copy.put(key, value)));
    await copy.flushed;
    const [found, copied] = [source, copy].map(
      (database) => (database.getStats() as { entryCount: number }).entryCount,
    );
    if (found !== copied) throw new DatabaseDamage(`its journal has ${found} records, but only ${copied} can be read`);
  } finally {
    await copy.close();
    await source.close();
  }
}

function* batches(source: RootDatabase<string, string | number>): Iterable<readonly JournalRecord[]> {
  let batch: JournalRecord[] = [];
  let bytes = 0;
  for (const { key, value } of source.getRange()) {
    batch.push({ key, value: upgrade(key, value) });
    bytes += value.length;
    if (bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  yield batch;
}

function upgrade(key: string | number, value: string): string {
  decodeJournalRecord(key, value);
  if (key === FORMAT_KEY) return FORMAT;
  return hasChecksum(value) ? value : addChecksum(key, value);
}

function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
