import { createWriteStream, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { DataDirectoryError } from '../../lambdas/adapters/embedded/DataDirectoryError.ts';
import { lockDirectory } from '../../lambdas/adapters/embedded/lockDirectory.ts';
import { JOURNAL_DIRECTORY, type Salvage, salvageJournal } from '../../lambdas/adapters/embedded/salvageJournal.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import { DEFAULT_DATA_DIR } from './parseStartOptions.ts';
import { UsageError } from './UsageError.ts';

export interface ExportOptions {
  /** Absolute. */
  readonly dataDir: string;
  /** The file to write; undefined for standard output. */
  readonly output: string | undefined;
  /** Write what can be read, even if something cannot. */
  readonly salvage: boolean;
}

const OWNER_ONLY = 0o600;

/**
 * Writes the objects of a data directory as one `List` of JSON, one object on a line, and a summary to standard error. No server may use the directory. Throws a
 * DataDirectoryError if the directory cannot be read, or holds damage and `salvage` is false; a UsageError if the output cannot be written.
 */
export async function runExport({ dataDir, output, salvage }: ExportOptions): Promise<void> {
  const unlock = lockForExport(dataDir, salvage);
  try {
    const found = readObjects(dataDir, salvage);
    await writeList(found.objects, output);
    process.stderr.write(`driftless: ${summary(found)}\n`);
  } finally {
    await unlock();
  }
}

/** Parses the arguments after `export`: `[--salvage] [--data-dir DIR] [--output FILE]`. Throws a UsageError for anything else. */
export function parseExportOptions(args: readonly string[]): ExportOptions {
  const values = parseOptions(args);
  const dataDir = resolve(values['data-dir'] ?? DEFAULT_DATA_DIR);
  return { dataDir, output: values.output, salvage: values.salvage ?? false };
}

function parseOptions(args: readonly string[]) {
  try {
    const options = {
      salvage: { type: 'boolean' },
      'data-dir': { type: 'string' },
      output: { type: 'string', short: 'o' },
    } as const;
    return parseArgs({ args: [...args], allowPositionals: false, options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Locks the directory. A directory whose lock is itself damaged can still be salvaged. */
function lockForExport(dataDir: string, salvage: boolean): () => Promise<void> {
  if (!existsSync(join(dataDir, JOURNAL_DIRECTORY))) throw new DataDirectoryError(dataDir, 'has no journal');
  try {
    return lockDirectory(dataDir);
  } catch (error) {
    if (error instanceof DataDirectoryError) throw error;
    if (salvage) return async () => {};
    const why = error instanceof Error ? error.message : String(error);
    throw new DataDirectoryError(dataDir, `cannot be used: ${why}`, { cause: error });
  }
}

function readObjects(dataDir: string, salvage: boolean): Salvage {
  const found = readJournal(dataDir);
  if (found.damage === undefined || (salvage && found.objects.length > 0)) return found;
  if (salvage) throw new DataDirectoryError(dataDir, `holds no object that can be read: ${found.damage}`);
  throw new DataDirectoryError(
    dataDir,
    `is damaged: ${found.damage}; --salvage exports the ${found.objects.length} objects that can be read`,
  );
}

function readJournal(dataDir: string): Salvage {
  try {
    return salvageJournal(dataDir);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DataDirectoryError(dataDir, `cannot be read: ${why}`, { cause: error });
  }
}

function summary({ objects, unreadableCount, damage }: Salvage): string {
  const exported = `exported ${objects.length} objects`;
  if (damage === undefined) return exported;
  return `${exported}; ${unreadableCount} records could not be read: ${damage}`;
}

async function writeList(objects: readonly KubernetesObject[], output: string | undefined): Promise<void> {
  try {
    const lines = Readable.from(listLines(objects));
    if (output === undefined) await pipeline(lines, process.stdout as Writable, { end: false });
    else await pipeline(lines, createWriteStream(output, { mode: OWNER_ONLY }));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the export cannot be written: ${why}`, { cause: error });
  }
}

function* listLines(objects: readonly KubernetesObject[]): Iterable<string> {
  yield '{"apiVersion":"v1","kind":"List","items":[\n';
  for (const [n, object] of objects.entries()) yield (n === 0 ? '' : ',\n') + JSON.stringify(exported(object));
  yield '\n]}\n';
}

/** What belongs to an object's life on its old server, and would let `kubectl apply` fail. The owners are left out because their UIDs are: controllers adopt the object. */
const LEFT_OUT = new Set([
  'resourceVersion',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
]);

function exported({ apiVersion, kind, metadata, ...parts }: KubernetesObject): object {
  const kept = Object.entries(metadata).filter(([field]) => !LEFT_OUT.has(field));
  return { apiVersion, kind, metadata: Object.fromEntries(kept), ...parts };
}
