import { renameSync, rmSync } from 'node:fs';
import { writePrivateFile } from '../../lambdas/adapters/embedded/makeDataDirectory.ts';
import { UsageError } from './UsageError.ts';

/**
 * Writes a file that the user has named with an option, readable by its owner only. Who waits for it to appear never reads a part of it. Throws a UsageError if it cannot be written.
 */
export function writeWholeFile(option: string, path: string, text: string): void {
  const begun = `${path}.${process.pid}`;
  try {
    writePrivateFile(begun, text);
    renameSync(begun, path);
  } catch (error) {
    rmSync(begun, { force: true });
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${option} cannot be written: ${why}`, { cause: error });
  }
}
