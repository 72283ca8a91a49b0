import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryError } from '../../lambdas/adapters/embedded/DataDirectoryError.ts';
import { LmdbJournal } from '../../lambdas/adapters/embedded/LmdbJournal.ts';
import { LmdbKeyItemStorage } from '../../lambdas/adapters/embedded/LmdbKeyItemStorage.ts';
import { applyManifest } from './applyManifest.ts';
import { kubeconfig } from './kubeconfig.ts';
import { type Manifest, readManifests } from './readManifests.ts';
import { showRollout } from './showRollout.ts';
import { type ControlPlane, startControlPlane } from './startControlPlane.ts';
import type { StartOptions } from './parseStartOptions.ts';
import { UsageError } from './UsageError.ts';

/** A signal ends the process within this, whatever still runs. */
const END_WITHIN_MS = 1_900;

/**
 * Serves until a signal ends the process. Throws a UsageError or a DataDirectoryError for what the user can mend; nothing is left running then.
 */
export async function runServer(options: StartOptions): Promise<void> {
  const manifests = options.filenames.flatMap(readManifests);
  const controlPlane = await open(options);
  const ending = new AbortController();
  endOnSignals(controlPlane, ending);
  try {
    announce(controlPlane.url, options.dataDir);
    await applyAll(controlPlane.url, manifests, ending.signal);
  } catch (error) {
    await controlPlane.stop();
    throw error;
  }
}

async function open({ ephemeral, dataDir, port }: StartOptions): Promise<ControlPlane> {
  const durable = ephemeral ? {} : { journal: LmdbJournal.open(dataDir), keyItems: LmdbKeyItemStorage.open(dataDir) };
  try {
    return await startControlPlane({ ...durable, port, log: logTrouble });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new UsageError(`port ${port} is in use`, { cause: error });
    if (code === 'EACCES') throw new UsageError(`port ${port} may not be used by this user`, { cause: error });
    throw error;
  }
}

/** A terminal is for people: they are shown what went wrong, and the rest on request. */
function logTrouble(line: Readonly<Record<string, unknown>>): void {
  if (line['level'] === 'info' && process.env['DRIFTLESS_LOG'] !== 'info') return;
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

function announce(url: string, dataDir: string): void {
  const path = join(dataDir, 'kubeconfig');
  try {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(path, kubeconfig(url), { mode: 0o600 });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DataDirectoryError(dataDir, `cannot be written: ${why}`, { cause: error });
  }
  process.stdout.write(`driftless listening on ${url}\nexport KUBECONFIG=${shellWord(path)}\n`);
}

function shellWord(text: string): string {
  return /^[\w./~+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

async function applyAll(url: string, manifests: readonly Manifest[], signal: AbortSignal): Promise<void> {
  const rolling: string[] = [];
  for (const manifest of manifests) {
    const { line, path } = await applyManifest((at, init) => fetch(url + at, init), manifest);
    process.stdout.write(`${line}\n`);
    if (manifest.kind === 'Deployment') rolling.push(path);
  }
  for (const path of rolling) await showUnlessEnding(url, path, signal);
}

async function showUnlessEnding(url: string, path: string, signal: AbortSignal): Promise<void> {
  try {
    await showRollout(url, path, process.stdout, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function endOnSignals(controlPlane: ControlPlane, ending: AbortController): void {
  const end = (exitCode: number) => {
    if (ending.signal.aborted) return;
    ending.abort();
    setTimeout(() => process.exit(exitCode), END_WITHIN_MS).unref();
    void controlPlane.stop().finally(() => process.exit(exitCode));
  };
  process.once('SIGTERM', () => end(0));
  process.once('SIGINT', () => end(0));
  void endOnFailure(controlPlane, end);
}

async function endOnFailure({ failed }: ControlPlane, end: (exitCode: number) => void): Promise<void> {
  const error = await failed;
  logTrouble({ level: 'error', msg: error.message, error: String(error.cause) });
  end(1);
}
