import { join } from 'node:path';
import { LmdbJournal } from '../../lambdas/adapters/embedded/LmdbJournal.ts';
import { LmdbKeyItemStorage } from '../../lambdas/adapters/embedded/LmdbKeyItemStorage.ts';
import { applyManifest, type SendRequest } from './applyManifest.ts';
import { kubeconfig } from './kubeconfig.ts';
import { type Manifest, readManifests } from './readManifests.ts';
import { requireServed } from './requireServed.ts';
import { showRollout } from './showRollout.ts';
import { startControlPlane } from './startControlPlane.ts';
import type { StartOptions } from './parseStartOptions.ts';
import { UsageError } from './UsageError.ts';
import { writeDataFile } from './writeDataFile.ts';

/** What answers requests, whatever it is made of. */
export interface Served {
  /** `http://127.0.0.1:8001` */
  readonly url: string;
  /** Resolves if it works no more. */
  readonly failed: Promise<Error>;
  /** What this process sends with its own requests, to be let in. */
  headers(): Readonly<Record<string, string>>;
  /** Ends it within two seconds. */
  stop(): Promise<void>;
}

/** A signal ends the process within this, whatever still runs. */
const END_WITHIN_MS = 1_900;

/**
 * Serves until a signal ends the process. Throws a UsageError or a DataDirectoryError for what the user can mend; nothing is left running then.
 */
export async function runServer(options: StartOptions): Promise<void> {
  const manifests = options.filenames.flatMap(readManifests);
  requireServed(manifests);
  const served = await open(options);
  const ending = new AbortController();
  endOnSignals(served, ending);
  try {
    announce(served.url, options.dataDir);
    await applyAll(served, manifests, ending.signal);
  } catch (error) {
    await served.stop();
    throw error;
  }
}

async function open(options: StartOptions): Promise<Served> {
  const { port } = options;
  try {
    if (!options.emulateCloud) return await openEmbedded(options);
    const { openEmulated } = await import('../emulation/openEmulated.ts');
    return await openEmulated(options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new UsageError(`port ${port} is in use`, { cause: error });
    if (code === 'EACCES') throw new UsageError(`port ${port} may not be used by this user`, { cause: error });
    throw error;
  }
}

async function openEmbedded({ ephemeral, dataDir, port }: StartOptions): Promise<Served> {
  const durable = ephemeral ? {} : { journal: LmdbJournal.open(dataDir), keyItems: LmdbKeyItemStorage.open(dataDir) };
  const controlPlane = await startControlPlane({ ...durable, port, log: logTrouble });
  try {
    writeDataFile(dataDir, 'kubeconfig', kubeconfig(controlPlane.url));
  } catch (error) {
    await controlPlane.stop();
    throw error;
  }
  return { ...controlPlane, headers: () => ({}) };
}

/** A terminal is for people: they are shown what went wrong, and the rest on request. */
function logTrouble(line: Readonly<Record<string, unknown>>): void {
  if (line['level'] === 'info' && process.env['DRIFTLESS_LOG'] !== 'info') return;
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

function announce(url: string, dataDir: string): void {
  process.stdout.write(`driftless listening on ${url}\nexport KUBECONFIG=${shellWord(join(dataDir, 'kubeconfig'))}\n`);
}

function shellWord(text: string): string {
  return /^[\w./~+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

async function applyAll(served: Served, manifests: readonly Manifest[], signal: AbortSignal): Promise<void> {
  const rolling: string[] = [];
  const send: SendRequest = (at, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(served.headers())) headers.set(name, value);
    return fetch(served.url + at, { ...init, headers });
  };
  for (const manifest of manifests) {
    const { line, path } = await applyManifest(send, manifest);
    process.stdout.write(`${line}\n`);
    if (manifest.kind === 'Deployment') rolling.push(path);
  }
  for (const path of rolling) await showUnlessEnding(send, path, signal);
}

async function showUnlessEnding(send: SendRequest, path: string, signal: AbortSignal): Promise<void> {
  try {
    await showRollout(send, path, process.stdout, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function endOnSignals(served: Served, ending: AbortController): void {
  const end = (exitCode: number) => {
    if (ending.signal.aborted) return;
    ending.abort();
    setTimeout(() => process.exit(exitCode), END_WITHIN_MS).unref();
    void served.stop().finally(() => process.exit(exitCode));
  };
  process.once('SIGTERM', () => end(0));
  process.once('SIGINT', () => end(0));
  void endOnFailure(served, end);
}

async function endOnFailure({ failed }: Served, end: (exitCode: number) => void): Promise<void> {
  const error = await failed;
  logTrouble({ level: 'error', msg: error.message, error: String(error.cause) });
  end(1);
}
