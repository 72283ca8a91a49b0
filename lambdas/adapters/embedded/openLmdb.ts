import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { makeDirectory } from './makeDirectory.ts';

/** From LMDB's file format: the first page is a meta page, which has these at these offsets. */
const MAGIC = 0xbeefc0de;
const MAGIC_OFFSET = 24;
const FORMAT_VERSION = 2;
const SHORTEST_FILE_BYTES = 8192;

/**
 * Opens or makes a database of strings in `directory`, of which a put resolves when it is durable. Throws if the directory cannot be used.
 */
export function openLmdb(directory: string): RootDatabase<string, string | number> {
  makeDirectory(directory);
  assertReadable(join(directory, 'data.mdb'));
  return open<string, string | number>({ path: directory, encoding: 'string', overlappingSync: false, maxDbs: 1 });
}

/** lmdb 3.5 crashes the process on a file that is no database, and on one that it may not write. Better find out before. */
function assertReadable(file: string): void {
  const head = readHead(file);
  if (head.length === 0) return;
  const isDatabase =
    head.length === SHORTEST_FILE_BYTES &&
    head.readUInt32LE(MAGIC_OFFSET) === MAGIC &&
    head.readUInt16LE(MAGIC_OFFSET + 4) === FORMAT_VERSION;
  if (!isDatabase) throw new Error(`${file} is not an LMDB database of format ${FORMAT_VERSION}`);
}

function readHead(file: string): Buffer {
  // Creates it if need be, which shows that it may be written.
  const descriptor = openSync(file, 'a+');
  try {
    const head = Buffer.alloc(SHORTEST_FILE_BYTES);
    return head.subarray(0, readSync(descriptor, head, 0, SHORTEST_FILE_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}
