import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryError } from './DataDirectoryError.ts';
import { makeDataDirectory } from './makeDataDirectory.ts';
import { openLmdb } from './openLmdb.ts';

const lockedHere = new Set<string>();

/**
 * Makes this process the only user of `directory` until the returned function is called or the process dies, even if it is killed. Throws a
 * DataDirectoryError if another process uses it.
 *
 * Node has no file locks, but LMDB has: a read transaction registers its process in the database's table of readers, and record locks of the kernel show
 * whether a registered process still lives. The database is empty, so the open transaction keeps no pages from being reused. Each process registers before
 * it looks at the table, so of two processes that start at the same time at most one succeeds.
 */
export function lockDirectory(directory: string): () => Promise<void> {
  makeDataDirectory(directory);
  const path = realpathSync(directory);
  if (lockedHere.has(path)) throw new DataDirectoryError(directory, 'is in use by this process');
  const database = openLmdb(join(path, 'lock'));
  const registration = register(directory, database);
  const release = async () => {
    lockedHere.delete(path);
    registration.done();
    await database.close();
  };
  lockedHere.add(path);
  database.readerCheck();
  const holder = otherReader(database.readerList());
  if (holder === undefined) return release;
  void release();
  throw new DataDirectoryError(directory, `is in use by process ${holder}`);
}

/**
 * Registers this process as a reader. LMDB locks one byte of a file, whose offset is the process id. If a process with the same id in another PID namespace has
 * locked it, lmdb 3.5 tries for ten seconds and then fails on a missing transaction. Throws a DataDirectoryError then.
 */
export function register<T>(directory: string, database: { useReadTransaction(): T }): T {
  try {
    return database.useReadTransaction();
  } catch (error) {
    const why = `is in use by a process with this process's id, ${process.pid}, in another PID namespace, such as another container`;
    throw new DataDirectoryError(directory, why, { cause: error });
  }
}

/** Returns the id of another process in LMDB's list of readers, whose lines begin with process ids. */
function otherReader(list: string): number | undefined {
  return list
    .split('\n')
    .map((line) => Number.parseInt(line, 10))
    .find((pid) => Number.isInteger(pid) && pid !== process.pid);
}
