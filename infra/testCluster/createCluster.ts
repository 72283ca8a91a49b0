import type { KubeConfig } from '@kubernetes/client-node';
import type { Cluster, ClusterInNamespace } from './Cluster.ts';
import { ClusterObjects } from './ClusterObjects.ts';
import type { ClusterFiles } from './ClusterFiles.ts';
import type { ResolvedKey } from './resolveResource.ts';
import type { ControlPlane } from '../local/startControlPlane.ts';
import type { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import type { ResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import type { ResourceEntry } from '../../lambdas/registry/ResourceEntry.ts';
import { compareVersions } from '../../lambdas/registry/versions/versionPriority.ts';
import type { Clock } from '../../lambdas/ports/Clock.ts';
import type { TestControls } from './controls/TestControls.ts';

/** The parts of a cluster. */
export interface ClusterParts {
  readonly controlPlane: ControlPlane;
  /** Of a cluster that checks permissions. */
  readonly administratorToken: string | undefined;
  readonly clock: Clock;
  /** The clock, if it is virtual. */
  readonly virtualClock: VirtualClock | undefined;
  readonly controls: TestControls;
  readonly files: ClusterFiles;
  readonly kubeconfig: string;
  readonly kubeconfigPath: string;
}

/** Creates the Cluster for a test, around a running control plane. */
export function createCluster(parts: ClusterParts): Cluster {
  const { controlPlane, administratorToken, clock, kubeconfig, kubeconfigPath, controls } = parts;
  const { faults, time } = controls;
  const request = async (path: string, init?: RequestInit) => {
    assertRuns(parts);
    const sent = new Request(controlPlane.url + path, init);
    if (administratorToken !== undefined && !sent.headers.has('authorization'))
      sent.headers.set('authorization', `Bearer ${administratorToken}`);
    return await controlPlane.fetch(sent);
  };
  const inNamespace = (namespace?: string) => objectFunctions(parts, request, namespace);
  const stop = once(() => stopCluster(parts));
  return {
    url: controlPlane.url,
    dashboardUrl: controlPlane.dashboardUrl,
    kubeconfig,
    kubeconfigPath,
    kubeConfig: () => openKubeConfig(kubeconfig),
    now: () => new Date(clock.now()),
    settle: () => whileRunning(parts, () => time.settle()),
    advance: (duration) => whileRunning(parts, () => time.advance(duration)),
    ...inNamespace(),
    inNamespace,
    request,
    reset: () => whileRunning(parts, () => controls.reset()),
    faults,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** What reads and writes objects, with another namespace for those that name none, or with `default`. */
function objectFunctions(parts: ClusterParts, request: Cluster['request'], namespace?: string): ClusterInNamespace {
  const { controlPlane } = parts;
  const objects = new ClusterObjects(request, () => servedEntries(controlPlane.catalog), namespace);
  return {
    // What is applied has the types that the manifest says.
    apply: ((manifest: string | object | readonly object[]) => objects.apply(manifest)) as Cluster['apply'],
    get: (key) => objects.get(key),
    list: (resource, query) => objects.list(resource, query),
    patch: (key, patch, how) => objects.patch(key, patch, how),
    delete: (key, how) => objects.delete(key, how),
    explain: (key) =>
      whileRunning(parts, async () =>
        controlPlane.explain(namespace === undefined ? key : wholeKey(await objects.resolve(key))),
      ),
  };
}

/** A key that says its namespace: `deployment/team/web`, or `node/a`, which has none. */
function wholeKey({ entry, namespace, name }: ResolvedKey): string {
  return [entry.singular, ...(entry.namespaced ? [namespace] : []), name].join('/');
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

function assertRuns({ controls }: ClusterParts): void {
  if (controls.stopping.signal.aborted) throw new Error('this cluster has been stopped');
}

async function whileRunning<T>(parts: ClusterParts, call: () => Promise<T>): Promise<T> {
  assertRuns(parts);
  return await call();
}

async function stopCluster({ controlPlane, controls, files, virtualClock }: ClusterParts): Promise<void> {
  controls.stopping.abort();
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
    throw new Error('kubeConfig() needs the package @kubernetes/client-node; install it beside driftless-k8s', {
      cause,
    });
  });
  const config = new client.KubeConfig();
  config.loadFromString(text);
  return config;
}
