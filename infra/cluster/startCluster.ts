import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { SimulatedPodRuntime } from '../../lambdas/adapters/simulated/SimulatedPodRuntime.ts';
import { SystemClock } from '../../lambdas/adapters/clocks/SystemClock.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import { kubeconfig } from '../local/kubeconfig.ts';
import { startControlPlane } from '../local/startControlPlane.ts';
import { ClientTraffic } from './ClientTraffic.ts';
import type { Cluster } from './Cluster.ts';
import type { ClusterOptions } from './ClusterOptions.ts';
import { ClusterFiles } from './ClusterFiles.ts';
import { createCluster } from './createCluster.ts';
import { FaultList } from './Faults.ts';
import { faultyApi } from './faultyApi.ts';
import { faultyRegistry } from './faultyRegistry.ts';
import { type ParsedClusterOptions, parseClusterOptions } from './parseClusterOptions.ts';
import { resolveResource } from './resolveResource.ts';
import { ScriptedPodRuntime } from './PodBehaviour.ts';

export type { Cluster } from './Cluster.ts';
export type { DeleteHow, ListQuery, PatchHow } from './ClusterObjects.ts';
export type { ClusterOptions } from './ClusterOptions.ts';
export { ClusterRequestError } from './ClusterObjects.ts';
export type { AddedFault, Fault, Faults, FaultVerb } from './Faults.ts';
export type { ObjectOf } from './ObjectOf.ts';
export type { PodBehaviour, PodBehaviourRule } from './PodBehaviour.ts';

/** The first time of a virtual clock by default. It is fixed, so that a test sees the same times in each run. */
const DEFAULT_START_MS = Date.UTC(2026, 0, 1);

/**
 * Starts a cluster in this process: Kubernetes' API on a loopback port, and the controllers of Deployments, ReplicaSets, ReplicationControllers, garbage,
 * namespaces and quotas, with nodes that simulate pods. Several can run side by side. Resolves when the cluster has settled.
 *
 * Rejects with a TypeError for invalid options, with a DataDirectoryError for a data directory that cannot be used, and with Node's error for a port that cannot
 * be used.
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const parsed = parseClusterOptions(options);
  const files = new ClusterFiles(parsed.dataDir);
  try {
    return await start(parsed, files);
  } catch (error) {
    files.close(undefined);
    throw error;
  }
}

async function start(options: ParsedClusterOptions, files: ClusterFiles): Promise<Cluster> {
  const virtualClock = options.isVirtual ? new VirtualClock(startMsOf(options, files)) : undefined;
  const clock = virtualClock ?? new SystemClock();
  const faults = new FaultList((resource) => canonicalResource(resource));
  const traffic = new ClientTraffic();
  const stopping = new AbortController();
  const simulated = new SimulatedPodRuntime();
  const storage = await files.openStorage();
  const administrator = options.rbac ? files.openAdministrator() : undefined;
  const controlPlane = await startControlPlane({
    ...storage,
    ...(administrator && { administrator }),
    ...(options.seed !== undefined && { ids: new SeededIds(options.seed) }),
    ...(options.nodes !== undefined && { nodes: options.nodes }),
    ...(options.log && { log: options.log }),
    config: options.config,
    port: options.port,
    clock,
    podRuntime: options.pods.length > 0 ? new ScriptedPodRuntime(simulated, options.pods) : simulated,
    intercept: (api) => faultyApi(traffic.intercept(api), faults, clock, stopping.signal),
    registryForControllers: (registry) => faultyRegistry(registry, faults),
  });
  try {
    const text = kubeconfig(controlPlane.url, administrator);
    const kubeconfigPath = files.writeKubeconfig(text);
    const parts = {
      controlPlane,
      administratorToken: administrator?.token,
      clock,
      virtualClock,
      traffic,
      faults,
      files,
      stopping,
      kubeconfig: text,
      kubeconfigPath,
    };
    const cluster = createCluster({ ...parts, quietMs: options.quietMs });
    await cluster.settle();
    return cluster;
  } catch (error) {
    await controlPlane.stop();
    throw error;
  }
}

/** Time must not go back in a data directory, or new objects would seem older than the stored ones. */
function startMsOf({ startMs }: ParsedClusterOptions, files: ClusterFiles): number {
  const stoppedAtMs = files.stoppedAtMs();
  if (startMs === undefined) return stoppedAtMs ?? DEFAULT_START_MS;
  if (stoppedAtMs === undefined || startMs >= stoppedAtMs) return startMs;
  const stoppedAt = new Date(stoppedAtMs).toISOString();
  throw new TypeError(
    `startCluster: startTime must not lie before ${stoppedAt}, when the data directory's last cluster stopped`,
  );
}

/** `deploy/status` → `deployments/status`. The whole name of a custom resource stays as it is: nobody knows yet what will be defined. */
function canonicalResource(resource: string): string {
  const [name = '', ...subresource] = resource.split('/');
  const group = name.split('.').slice(1).join('.');
  if (group.includes('.') && !resourceEntries.some((entry) => entry.group === group)) return resource;
  return [resolveResource(resourceEntries, name).plural, ...subresource].join('/');
}
