import { createWriteStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DataDirectoryError } from '../../../lambdas/adapters/embedded/DataDirectoryError.ts';
import { lockDirectory } from '../../../lambdas/adapters/embedded/lockDirectory.ts';
import { JOURNAL_DIRECTORY, type Salvage, salvageJournal } from '../../../lambdas/adapters/embedded/salvageJournal.ts';
import { parseCommand } from '../parseCommand.ts';
import { type ControlPlanePlace, openControlPlane } from '../ControlPlaneApi.ts';
import { listAllObjects } from './listAllObjects.ts';
import { planImport } from './planImport.ts';
import { staysBehind, withoutOldMetadata } from './withoutOldLife.ts';
import { parseTransferPlace, type TransferPlace } from './parseTransferPlace.ts';
import { UsageError } from '../../host/UsageError.ts';

export interface ExportOptions {
  readonly from: TransferPlace;
  /** The file to write; undefined for standard output. */
  readonly output: string | undefined;
  /** Write what can be read of a data directory, even if something cannot. */
  readonly salvage: boolean;
  /** Keep UIDs, owners and times, for `driftless import`. */
  readonly complete: boolean;
}

const OWNER_ONLY = 0o600;

/**
 * Writes the objects of a data directory or of a running control plane as one `List` of JSON, one object on a line, and a summary to standard error. Only a complete export of a directory has its events. No server may use the directory. Throws a
 * DataDirectoryError if the directory cannot be read, or holds damage and `salvage` is false; a UsageError if the control plane does not answer or the output cannot be written.
 */
export async function runExport({ from, output, salvage, complete }: ExportOptions): Promise<void> {
  const found = 'dataDir' in from ? await readDirectory(from.dataDir, salvage) : await readControlPlane(from);
  const objects = complete ? found.objects : found.objects.filter((object) => !staysBehind(object));
  await writeList(complete ? objects : objects.map(withoutOldMetadata), output);
  process.stderr.write(`driftless: ${summary(found, objects.length)}\n`);
}

async function readDirectory(dataDir: string, salvage: boolean): Promise<Salvage> {
  const unlock = lockForExport(dataDir, salvage);
  try {
    return readObjects(dataDir, salvage);
  } finally {
    await unlock();
  }
}

async function readControlPlane(place: ControlPlanePlace): Promise<Salvage> {
  const api = await openControlPlane(place);
  try {
    const objects = await listAllObjects(api.send);
    const { steps } = planImport(objects);
    const planned = new Set(steps.flat());
    // What is left to its controllers comes last, as nothing depends on it.
    const ordered = [...planned, ...objects.filter((object) => !planned.has(object))];
    return { objects: ordered, unreadableCount: 0, damage: undefined };
  } finally {
    await api.close();
  }
}

/** Parses the arguments after `export`. Throws a UsageError for anything that it does not know. */
export function parseExportOptions(args: readonly string[]): ExportOptions {
  const { output, salvage = false, complete = false, ...place } = parseCommand('export', args).values;
  const from = parseTransferPlace(place);
  if (salvage && !('dataDir' in from)) throw new UsageError('--salvage needs a data directory');
  return { from, output, salvage, complete };
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

function summary({ unreadableCount, damage }: Salvage, exportedCount: number): string {
  const exported = `exported ${exportedCount} objects`;
  if (damage === undefined) return exported;
  return `${exported}; ${unreadableCount} records could not be read: ${damage}`;
}

async function writeList(objects: readonly object[], output: string | undefined): Promise<void> {
  try {
    const lines = Readable.from(listLines(objects));
    if (output === undefined) await pipeline(lines, process.stdout as Writable, { end: false });
    else await pipeline(lines, createWriteStream(output, { mode: OWNER_ONLY }));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the export cannot be written: ${why}`, { cause: error });
  }
}

function* listLines(objects: readonly object[]): Iterable<string> {
  yield '{"apiVersion":"v1","kind":"List","items":[\n';
  for (const [n, object] of objects.entries()) yield (n === 0 ? '' : ',\n') + JSON.stringify(object);
  yield '\n]}\n';
}
