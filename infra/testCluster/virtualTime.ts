import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '../../lambdas/adapters/embedded/makeDataDirectory.ts';

/** The file of a data directory that keeps the time of a virtual clock. */
const TIME_FILE = 'virtual-time';

/** The first time of a virtual clock by default. It is fixed, so that a test sees the same times in each run. */
const DEFAULT_START_MS = Date.UTC(2026, 0, 1);

/** Returns the time that the last virtual clock of a data directory reached, in milliseconds since the epoch, if there was one. */
export function readVirtualTime(dataDir: string): number | undefined {
  try {
    const ms = Date.parse(readFileSync(join(dataDir, TIME_FILE), 'utf8'));
    return Number.isNaN(ms) ? undefined : ms;
  } catch {
    // No virtual clock has run here yet.
    return undefined;
  }
}

/** Keeps the time of a virtual clock in an existing data directory. Throws Node's error. */
export function keepVirtualTime(dataDir: string, ms: number): void {
  writePrivateFile(join(dataDir, TIME_FILE), new Date(ms).toISOString());
}

/**
 * Returns the first time of a virtual clock. `reachedMs`: what the last clock of the data directory reached. Time must not go back in a data directory, or new objects would seem older than the stored ones: then it is
 * `tooEarly`. Pure.
 */
export function virtualStartMs(startMs: number | undefined, reachedMs: number | undefined): number | 'tooEarly' {
  if (startMs === undefined) return reachedMs ?? DEFAULT_START_MS;
  return reachedMs === undefined || startMs >= reachedMs ? startMs : 'tooEarly';
}
