import { join } from 'node:path';
import { DataDirectoryError } from '../../lambdas/adapters/embedded/DataDirectoryError.ts';
import { makeDataDirectory, writePrivateFile } from '../../lambdas/adapters/embedded/makeDataDirectory.ts';

/** Writes a file into the data directory, readable by its owner only, and returns its path. Creates the directory if it is missing. Throws a DataDirectoryError. */
export function writeDataFile(dataDir: string, name: string, text: string): string {
  const path = join(dataDir, name);
  try {
    makeDataDirectory(dataDir);
    writePrivateFile(path, text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DataDirectoryError(dataDir, `cannot be written: ${why}`, { cause: error });
  }
  return path;
}
