import { coloursOf } from './colours.ts';
import { endOnSignals } from './endOnSignals.ts';
import { applyManifest, noMatches } from '../host/applyManifest.ts';
import type { SendRequest } from '../host/SendRequest.ts';
import { type Manifest, readManifests } from '../host/readManifests.ts';
import { openEmbedded } from './openEmbedded.ts';
import { ReadyFile } from './ReadyFile.ts';
import { refusedPort } from '../host/parsePort.ts';
import { showRollout } from './showRollout.ts';
import { openServerFolder } from '../local/openServerFolder.ts';
import type { PlacedOptions, StartOptions } from './parseStartOptions.ts';
import { UsageError } from '../host/UsageError.ts';
import type { RunningServer } from './RunningServer.ts';
import { createServedResources } from '../../lambdas/rest/ServedResources.ts';
import { createResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import type { ResourceEntry } from '../../lambdas/registry/ResourceEntry.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import { definedKinds } from '../host/definedKinds.ts';

/** Serves until a signal ends the process. Throws a UsageError or a DataDirectoryError for a mistake of the user, after stopping everything. */
export async function runServer(options: StartOptions): Promise<void> {
  const manifests = (await Promise.all(options.filenames.map(readManifests))).flat();
  requireServed(manifests, options.testing ? await loadTestingEntries() : []);
  const readyFile = new ReadyFile(options.readyFile);
  const server = await open(options);
  const ending = new AbortController();
  const end = endOnSignals(async () => {
    ending.abort();
    readyFile.remove();
    await server.stop();
  });
  void endOnFailure(server, end);
  try {
    announce(server);
    const { url, kubeconfigPath } = server;
    const ready = () => readyFile.write({ url, kubeconfig: kubeconfigPath, pid: process.pid });
    // Pods on a virtual clock become ready when a test moves it.
    await applyAll(server, manifests, { isShown: options.clock !== 'virtual', ready, signal: ending.signal });
  } catch (error) {
    readyFile.remove();
    await server.stop();
    throw error;
  }
}

async function loadTestingEntries() {
  const { createTestingEntries } = await import('../testCluster/controls/testingEntries.ts');
  return createTestingEntries(async () => {});
}

async function open(options: StartOptions): Promise<RunningServer> {
  const { dataDir, close } = await openServerFolder(options);
  try {
    const server = await openIn({ ...options, dataDir });
    const stop = async () => {
      await server.stop();
      await close();
    };
    return { ...server, stop };
  } catch (error) {
    await close();
    throw refusedPort(error, options.port);
  }
}

async function openIn(options: PlacedOptions): Promise<RunningServer> {
  if (!options.emulateCloud) return await openEmbedded(options, logProblem);
  const { openEmulated } = await loadEmulation();
  return await openEmulated(options);
}

/** The emulated cloud needs the sources and the development dependencies, so the npm package is built without it. */
async function loadEmulation() {
  try {
    return await import('../emulation/openEmulated.ts');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes('openEmulated')) throw error;
    throw new UsageError('--emulate-cloud works only in a clone of the repository', { cause: error });
  }
}

/** Writes warnings and errors to the terminal, and all lines if the user asks for them. */
function logProblem(line: Readonly<Record<string, unknown>>): void {
  if (line['level'] === 'info' && process.env['DRIFTLESS_LOG'] !== 'info') return;
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

/** Writes all lines at once, so that whoever waits for one of them has them all. */
function announce({ url, dashboardUrl, kubeconfigPath }: RunningServer): void {
  const { bold, cyan } = coloursOf(process.stdout);
  const lines = [`${bold('driftless')} listening on ${cyan(url)}`, `export KUBECONFIG=${shellWord(kubeconfigPath)}`];
  if (dashboardUrl !== undefined) lines.push(`dashboard on ${cyan(dashboardUrl)}`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

function shellWord(text: string): string {
  return /^[\w./~+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

interface ApplyHow {
  /** Whether the rollouts are waited for and shown. */
  readonly isShown: boolean;
  /** Called when all manifests are applied. */
  readonly ready: () => void;
  readonly signal: AbortSignal;
}

async function applyAll(server: RunningServer, manifests: readonly Manifest[], how: ApplyHow): Promise<void> {
  const rolling: string[] = [];
  const send: SendRequest = (at, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(server.headers())) headers.set(name, value);
    return fetch(server.url + at, { ...init, headers });
  };
  for (const manifest of manifests) {
    const { line, path } = await applyManifest(send, manifest);
    process.stdout.write(`${line}\n`);
    if (manifest.kind === 'Deployment' && how.isShown) rolling.push(path);
  }
  how.ready();
  for (const path of rolling) await showUnlessEnding(send, path, how.signal);
}

async function showUnlessEnding(send: SendRequest, path: string, signal: AbortSignal): Promise<void> {
  try {
    await showRollout(send, path, process.stdout, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function endOnFailure({ failed }: RunningServer, end: (exitCode: number) => void): Promise<void> {
  const error = await failed;
  // After a failed write lmdb rejects a promise that it gave to nobody. Node would end the process with that, before the line below is written.
  process.on('unhandledRejection', () => {});
  logProblem({ level: 'error', msg: error.message, error: String(error.cause) });
  end(1);
}

/** Throws a UsageError for the first manifest of a kind that neither this release serves nor a manifest defines, so that a wrong file is refused before anything is started. `others`: what the server serves besides. */
function requireServed(manifests: readonly Manifest[], others: readonly ResourceEntry[] = []): void {
  const { builtInGroups } = createServedResources(createResourceCatalog([...resourceEntries, ...others]));
  const resources = builtInGroups.flatMap(({ versions }) => versions.flatMap((version) => version.resources));
  const served = new Set(resources.map(({ apiVersion, entry }) => `${apiVersion} ${entry.kind}`));
  for (const { group, kind, servedVersions } of definedKinds(manifests))
    for (const version of servedVersions) served.add(`${group}/${version} ${kind}`);
  const unserved = manifests.find(({ apiVersion, kind }) => !served.has(`${apiVersion} ${kind}`));
  if (unserved) throw noMatches(unserved);
}
