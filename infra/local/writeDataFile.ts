import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryError } from '../../lambdas/adapters/embedded/DataDirectoryError.ts';
import { makeDirectory } from '../../lambdas/adapters/embedded/makeDirectory.ts';

/** Writes a file that only its owner may read into the data directory, which it makes if need be; its path. Throws a DataDirectoryError. */
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
