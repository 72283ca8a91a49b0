import type { KubeConfig } from '@kubernetes/client-node';
import type { ClientTraffic } from './ClientTraffic.ts';
import type { Cluster } from './Cluster.ts';
import { ClusterObjects } from './ClusterObjects.ts';
import type { ClusterFiles } from './ClusterFiles.ts';
import { ClusterTime } from './ClusterTime.ts';
import type { FaultList } from './Faults.ts';
import type { ControlPlane } from '../local/startControlPlane.ts';
import type { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import type { Clock } from '../../lambdas/ports/Clock.ts';

/** What a cluster is made of. */
export interface ClusterParts {
  readonly controlPlane: ControlPlane;
  readonly clock: Clock;
  /** The clock, if it is one that can be moved. */
  readonly virtualClock: VirtualClock | undefined;
  readonly traffic: ClientTraffic;
  readonly faults: FaultList;
  readonly place: ClusterFiles;
  readonly stopping: AbortController;
  readonly kubeconfig: string;
  readonly kubeconfigPath: string;
  readonly quietMs: number;
}

/** The Cluster that a test sees, around a control plane that runs. */
export function createCluster(parts: ClusterParts): Cluster {
  const { controlPlane, clock, kubeconfig, kubeconfigPath, faults } = parts;
  const request = async (path: string, init?: RequestInit) => {
    assertRuns(parts);
    return await controlPlane.fetch(new Request(controlPlane.url + path, init));
  };
  const objects = new ClusterObjects(request, controlPlane.entries);
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

function assertRuns({ stopping }: ClusterParts): void {
  if (stopping.signal.aborted) throw new Error('this cluster has been stopped');
}

async function whileRunning<T>(parts: ClusterParts, call: () => Promise<T>): Promise<T> {
  assertRuns(parts);
  return await call();
}

async function stopCluster({ controlPlane, stopping, place, virtualClock }: ClusterParts): Promise<void> {
  stopping.abort();
  await controlPlane.stop();
  place.leave(virtualClock?.now());
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= run());
}

/** A kubeconfig as the JavaScript client wants it. The client is loaded only here: who does not use it need not install it. */
export async function openKubeConfig(text: string): Promise<KubeConfig> {
  const client = await import('@kubernetes/client-node').catch((cause: unknown) => {
    throw new Error('kubeConfig() needs the package @kubernetes/client-node; install it beside driftless', { cause });
  });
  const config = new client.KubeConfig();
  config.loadFromString(text);
  return config;
}
