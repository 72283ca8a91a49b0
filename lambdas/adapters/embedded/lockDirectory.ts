import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryError } from './DataDirectoryError.ts';
import { makeDirectory } from './makeDirectory.ts';
import { openLmdb } from './openLmdb.ts';

const lockedHere = new Set<string>();

/**
 * Makes this process the only user of `directory` until the returned function is called or the process dies, however it dies. Throws a
 * DataDirectoryError if another one has it.
 *
 * Node has no file locks, but LMDB does: a read transaction registers its process in the database's table of readers, which the kernel's own record
 * locks let others tell from a leftover of a dead process. The database holds nothing, so the open transaction keeps no pages from being used again.
 * Registering comes before looking, so of two that start at once at most one gets in.
 */
export function lockDirectory(directory: string): () => Promise<void> {
  makeDirectory(directory);
  const path = realpathSync(directory);
  if (lockedHere.has(path)) throw new DataDirectoryError(directory, 'is in use by this process');
  const database = openLmdb(join(path, 'lock'));
  const registration = database.useReadTransaction();
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

/** The list has a line for each reader, which begins with its process id. */
function otherReader(list: string): number | undefined {
  return list
    .split('\n')
    .map((line) => Number.parseInt(line, 10))
    .find((pid) => Number.isInteger(pid) && pid !== process.pid);
}
