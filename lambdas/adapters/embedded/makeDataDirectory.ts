import { chmodSync, closeSync, fchmodSync, mkdirSync, openSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const OWNER_ONLY_DIRECTORY = 0o700;
const OWNER_ONLY_FILE = 0o600;
/** The permissions of the group and of all other users. */
const OTHERS = 0o077;
const STICKY = 0o1000;

/** All that a data directory contains. */
const DATA_FILES = new Set([
  'journal',
  'keys',
  'lock',
  'kubeconfig',
  'token',
  'virtual-time',
  'service-account-key',
  'service-account-key.new',
  'administrator',
]);

/**
 * Creates a data directory that only its owner can read. An existing directory becomes so too, if it belongs to this user and contains nothing else: a directory
 * such as `/tmp` keeps its permissions, and only what is put into it is private. Throws Node's error if it cannot.
 */
export function makeDataDirectory(path: string): void {
  makeDirectory(path, OWNER_ONLY_DIRECTORY);
  const { mode, uid } = statSync(path);
  if ((mode & OTHERS) === 0 || (mode & STICKY) !== 0 || uid !== process.getuid?.()) return;
  if (readdirSync(path).every((name) => DATA_FILES.has(name))) chmodSync(path, OWNER_ONLY_DIRECTORY);
}

/** Creates a directory that only its owner can read, and makes an existing one and its files so. Throws Node's error if it cannot. */
export function makePrivateDirectory(path: string): void {
  makeDirectory(path, OWNER_ONLY_DIRECTORY);
  chmodSync(path, OWNER_ONLY_DIRECTORY);
  for (const name of readdirSync(path)) chmodSync(join(path, name), OWNER_ONLY_FILE);
}

/** Writes a file that only its owner can read, even if it exists and others could read it before. */
export function writePrivateFile(path: string, text: string): void {
  const descriptor = openSync(path, 'w', OWNER_ONLY_FILE);
  try {
    fchmodSync(descriptor, OWNER_ONLY_FILE);
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Makes a directory and those above it that are missing. Throws Node's error if it cannot. Node's own recursive `mkdirSync` never returns where the parent exists
 * and the child can still not be made, as below `/proc`.
 */
export function makeDirectory(path: string, mode?: number): void {
  if (isDirectory(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process may have made it in between.
    if (!isDirectory(path)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
