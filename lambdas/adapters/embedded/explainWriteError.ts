import { statfsSync } from 'node:fs';

/** A write of LMDB needs a few pages more than its records, and some file systems keep a reserve. */
const FULL_BELOW_BYTES = 4 * 2 ** 20;

/**
 * Says in words why LMDB could not write in `directory`. On a full disk LMDB writes less than it should and reports an input/output error, so the free space is
 * asked for.
 */
export function explainWriteError(directory: string, error: unknown, freeBytes = freeBytesOf): Error {
  const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
  if (freeBytes(directory) < FULL_BELOW_BYTES) {
    return new Error(`no space is left on the disk that holds ${directory}; free some and start again`, {
      cause: error,
    });
  }
  return new Error(`writing in ${directory} failed: ${why}`, { cause: error });
}

function freeBytesOf(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
