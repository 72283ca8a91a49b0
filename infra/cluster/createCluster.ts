import type { KubeConfig } from '@kubernetes/client-node';
import type { ClientTraffic } from './ClientTraffic.ts';
import type { Cluster } from './Cluster.ts';
import { ClusterObjects } from './ClusterObjects.ts';
import type { ClusterFiles } from './ClusterFiles.ts';
import { ClusterTime } from './ClusterTime.ts';
import type { FaultList } from './Faults.ts';
import type { ControlPlane } from '../local/startControlPlane.ts';
import type { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import type { ResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import type { ResourceEntry } from '../../lambdas/registry/ResourceEntry.ts';
import { compareVersions } from '../../lambdas/registry/versions/versionPriority.ts';
import type { Clock } from '../../lambdas/ports/Clock.ts';

/** The parts of a cluster. */
export interface ClusterParts {
  readonly controlPlane: ControlPlane;
  /** Of a cluster that checks permissions. */
  readonly administratorToken: string | undefined;
  readonly clock: Clock;
  /** The clock, if it is virtual. */
  readonly virtualClock: VirtualClock | undefined;
  readonly traffic: ClientTraffic;
  readonly faults: FaultList;
  readonly files: ClusterFiles;
  readonly stopping: AbortController;
  readonly kubeconfig: string;
  readonly kubeconfigPath: string;
  readonly quietMs: number;
}

/** Creates the Cluster for a test, around a running control plane. */
export function createCluster(parts: ClusterParts): Cluster {
  const { controlPlane, administratorToken, clock, kubeconfig, kubeconfigPath, faults } = parts;
  const request = async (path: string, init?: RequestInit) => {
    assertRuns(parts);
    const sent = new Request(controlPlane.url + path, init);
    if (administratorToken !== undefined && !sent.headers.has('authorization'))
      sent.headers.set('authorization', `Bearer ${administratorToken}`);
    return await controlPlane.fetch(sent);
  };
  const objects = new ClusterObjects(request, () => servedEntries(controlPlane.catalog));
  const time = new ClusterTime(parts);
  const stop = once(() => stopCluster(parts));
  return {
    url: controlPlane.url,
    kubeconfig,
    kubeconfigPath,
    kubeConfig: () => openKubeConfig(kubeconfig),
    now: () => new Date(clock.now()),
    settle: () => whileRunning(parts, () => time.settle()),
    advance: (duration) => whileRunning(parts, () => time.advance(duration)),
    apply: (manifest) => objects.apply(manifest),
    get: (key) => objects.get(key),
    list: (resource, query) => objects.list(resource, query),
    patch: (key, patch, how) => objects.patch(key, patch, how),
    delete: (key, how) => objects.delete(key, how),
    request,
    explain: (key) => whileRunning(parts, () => controlPlane.explain(key)),
    faults,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** What is served now: of a custom resource, its preferred version. */
async function servedEntries({ builtIn, custom }: ResourceCatalog): Promise<readonly ResourceEntry[]> {
  const defined = (await custom.list()).filter(({ isEstablished }) => isEstablished);
  const preferred = defined.flatMap(({ served }) => {
    const [first] = [...served].sort(([a], [b]) => compareVersions(a, b));
    return first ? [first[1]] : [];
  });
  return [...builtIn, ...preferred];
}

function assertRuns({ stopping }: ClusterParts): void {
  if (stopping.signal.aborted) throw new Error('this cluster has been stopped');
}

async function whileRunning<T>(parts: ClusterParts, call: () => Promise<T>): Promise<T> {
  assertRuns(parts);
  return await call();
}

async function stopCluster({ controlPlane, stopping, files, virtualClock }: ClusterParts): Promise<void> {
  stopping.abort();
  await controlPlane.stop();
  files.close(virtualClock?.now());
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= run());
}

/** Returns the kubeconfig as the JavaScript client's object. The client is loaded only here, so that it need not be installed by tests that do not use it. */
async function openKubeConfig(text: string): Promise<KubeConfig> {
  const client = await import('@kubernetes/client-node').catch((cause: unknown) => {
    throw new Error('kubeConfig() needs the package @kubernetes/client-node; install it beside driftless', { cause });
  });
  const config = new client.KubeConfig();
  config.loadFromString(text);
  return config;
}
