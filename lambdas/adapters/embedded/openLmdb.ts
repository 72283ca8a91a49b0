import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { checkLmdbFile, type LmdbFileUse } from './checkLmdbFile.ts';
import { isLmdbHead, DatabaseDamage } from './LmdbFile.ts';
import { makePrivateDirectory, writePrivateFile } from './makeDataDirectory.ts';

const HEAD_BYTES = 8192;
/** The name of the database's file in its directory. */
export const DATABASE_FILE = 'data.mdb';
/** Exists beside the database's file once that has been written, so that an emptied file is not taken for a new one. */
const MARKER_FILE = 'initialized';

/**
 * Opens or creates a database of strings in `directory`, whose puts resolve when they are durable. Throws if the directory cannot be used; a DatabaseDamage if its
 * file is damaged. `isChecked` spares the look for damage: this process has just checked the file.
 */
export function openLmdb(directory: string, isChecked = false): RootDatabase<string, string | number> {
  if (!isChecked) checkLmdb(directory);
  const database = openUnchecked(directory);
  const marker = join(directory, MARKER_FILE);
  if (!existsSync(marker)) writePrivateFile(marker, '');
  // Opening creates further files.
  makePrivateDirectory(directory);
  return database;
}

/** Opens or creates a database of strings in a directory, or in a file whose name has an extension. A damaged file may crash the process. */
export function openUnchecked(path: string): RootDatabase<string, string | number> {
  return open<string, string | number>({ path, encoding: 'string', overlappingSync: false, maxDbs: 1 });
}

/**
 * Creates the directory and an empty file if they are missing, and checks what is there. Returns how much of the file is in use; undefined for a new one. Throws
 * if the file cannot be written or is not a whole database, because lmdb 3.5 crashes the process on such a file.
 */
export function checkLmdb(directory: string): LmdbFileUse | undefined {
  makePrivateDirectory(directory);
  const file = join(directory, DATABASE_FILE);
  const head = readHead(file);
  if (isLmdbHead(head)) return checkLmdbFile(file);
  if (head.length > 0) throw new Error(`${file} is not an LMDB database of format 2`);
  if (existsSync(join(directory, MARKER_FILE)))
    throw new DatabaseDamage(`${file} is empty, but it has been written before`);
  return undefined;
}

function readHead(file: string): Buffer {
  // Opening for append also creates a missing file, and fails if the file may not be written.
  const descriptor = openSync(file, 'a+');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.subarray(0, readSync(descriptor, head, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}
