import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { makePrivateDirectory } from './makeDataDirectory.ts';

/** LMDB's file format: the first page is a meta page with this magic number, and the format's version after it. */
const MAGIC = 0xbeefc0de;
const MAGIC_OFFSET = 24;
const FORMAT_VERSION = 2;
const SHORTEST_FILE_BYTES = 8192;

/** Opens or creates a database of strings in `directory`, whose puts resolve when they are durable. Throws if the directory cannot be used. */
export function openLmdb(directory: string): RootDatabase<string, string | number> {
  makePrivateDirectory(directory);
  assertReadable(join(directory, 'data.mdb'));
  const database = open<string, string | number>({
    path: directory,
    encoding: 'string',
    overlappingSync: false,
    maxDbs: 1,
  });
  // Opening creates further files.
  makePrivateDirectory(directory);
  return database;
}

/** Throws if the file is not a database or cannot be written, because lmdb 3.5 crashes the process on such a file. */
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
  // Opening for append also creates a missing file, and fails if the file may not be written.
  const descriptor = openSync(file, 'a+');
  try {
    const head = Buffer.alloc(SHORTEST_FILE_BYTES);
    return head.subarray(0, readSync(descriptor, head, 0, SHORTEST_FILE_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}
