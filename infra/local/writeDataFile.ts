import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryError } from '../../lambdas/adapters/embedded/DataDirectoryError.ts';
import { makeDirectory } from '../../lambdas/adapters/embedded/makeDirectory.ts';

/** Writes a file into the data directory, readable by its owner only, and returns its path. Creates the directory if it is missing. Throws a DataDirectoryError. */
export function writeDataFile(dataDir: string, name: string, text: string): string {
  const path = join(dataDir, name);
  try {
    makeDirectory(dataDir);
    writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DataDirectoryError(dataDir, `cannot be written: ${why}`, { cause: error });
  }
  return path;
}
