import { readFileSync } from 'node:fs';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { parseCommand } from '../parseCommand.ts';
import { openControlPlane } from '../ControlPlaneApi.ts';
import { importIntoDirectory } from './importIntoDirectory.ts';
import { importThroughApi, type Imported } from './importThroughApi.ts';
import { parseTransferPlace, type TransferPlace } from './parseTransferPlace.ts';
import { parseManifests } from '../../host/readManifests.ts';
import { UsageError } from '../../host/UsageError.ts';

export interface ImportCommand {
  /** The file to read; `-` is standard input. */
  readonly filename: string;
  readonly into: TransferPlace;
}

/** The exit code of an import of which some objects were refused. */
const EXIT_REFUSED = 1;
const PROGRESS_PERIOD_MS = 2_000;

/** Imports the objects of an export. Writes progress, one line for each refused object, and a summary to standard error. Resolves to the exit code. */
export async function runImport({ filename, into }: ImportCommand): Promise<number> {
  const objects = await readObjects(filename);
  const imported = await importInto(into, objects);
  for (const line of imported.refused) process.stderr.write(`driftless: refused: ${line}\n`);
  process.stderr.write(`driftless: ${summary(imported)}\n`);
  return imported.refused.length > 0 ? EXIT_REFUSED : 0;
}

/** Parses the arguments after `import`: `--filename FILE` and where to. Throws a UsageError for anything else. */
export function parseImportCommand(args: readonly string[]): ImportCommand {
  const { filename, ...place } = parseCommand('import', args).values;
  if (filename === undefined) throw new UsageError('import needs --filename FILE; - is standard input');
  return { filename, into: parseTransferPlace(place) };
}

async function readObjects(filename: string): Promise<readonly KubernetesObject[]> {
  let text: string;
  try {
    text = readFileSync(filename === '-' ? 0 : filename, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the export cannot be read: ${why}`, { cause: error });
  }
  return (await parseList(text, filename)) as readonly KubernetesObject[];
}

/** An export is JSON, which is parsed fast. Any other manifest may be YAML. */
async function parseList(text: string, filename: string): Promise<readonly unknown[]> {
  try {
    const { items } = JSON.parse(text) as { readonly items?: unknown };
    if (Array.isArray(items)) return items;
  } catch {
    // It is no JSON.
  }
  return await parseManifests(text, filename);
}

async function importInto(into: TransferPlace, objects: readonly KubernetesObject[]): Promise<Imported> {
  const onProgress = progress();
  if ('dataDir' in into) return await importIntoDirectory(into.dataDir, objects, onProgress);
  const api = await openControlPlane(into);
  try {
    return await importThroughApi({ send: api.send, objects, onProgress });
  } finally {
    await api.close();
  }
}

/** Says now and then how far the import is. */
function progress(): (done: number, of: number) => void {
  let saidAtMs = Date.now();
  return (done, of) => {
    if (Date.now() - saidAtMs < PROGRESS_PERIOD_MS) return;
    saidAtMs = Date.now();
    process.stderr.write(`driftless: ${done} of ${of} objects\n`);
  };
}

function summary({ created, existing, leftToControllers, refused }: Imported): string {
  const parts = [`imported ${created} objects`];
  if (existing > 0) parts.push(`${existing} were there already`);
  if (leftToControllers > 0) parts.push(`${leftToControllers} pods are left to their controllers`);
  if (refused.length > 0) parts.push(`${refused.length} were refused`);
  return parts.join('; ');
}
