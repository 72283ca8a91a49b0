import { resolve } from 'node:path';
import { UsageError } from '../host/UsageError.ts';

/** Relative to the working directory. */
const DEFAULT_DATA_DIR = '.driftless';

/** Returns the absolute path of the directory that `--data-dir` names, or of the default one. Throws a UsageError for an empty name, which would mean the working directory. */
export function parseDataDir(value: string | undefined): string {
  if (value === '') throw new UsageError('--data-dir must name a directory');
  return resolve(value ?? DEFAULT_DATA_DIR);
}
