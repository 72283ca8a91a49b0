import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import { SystemClock } from '../../lambdas/adapters/clocks/SystemClock.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { kubeconfig } from '../local/kubeconfig.ts';
import { refusedPort } from '../host/parsePort.ts';
import { startControlPlane } from '../local/startControlPlane.ts';
import type { Cluster } from './Cluster.ts';
import type { ClusterOptions } from './ClusterOptions.ts';
import { ClusterFiles } from './ClusterFiles.ts';
import { createCluster } from './createCluster.ts';
import { type ParsedClusterOptions, parseClusterOptions } from './parseClusterOptions.ts';
import { virtualStartMs } from './virtualTime.ts';
import { TestControls } from './controls/TestControls.ts';

export type { Cluster, ClusterInNamespace } from './Cluster.ts';
export type { DeleteHow, ListQuery, PatchHow } from './ClusterObjects.ts';
export type { ClusterOptions } from './ClusterOptions.ts';
export { ClusterRequestError } from './ClusterObjects.ts';
export type { Fault, FaultVerb } from './Fault.ts';
export type { AddedFault, Faults } from './Faults.ts';
export type { AnyManifest, JsonPatchOperation, ManifestOf, MergePatch, UntypedManifest } from './ManifestOf.ts';
export type { ObjectOf } from './ObjectOf.ts';
export type { PodBehaviour, PodBehaviourRule } from './PodBehaviour.ts';

/**
 * Starts a cluster in this process: Kubernetes' API on a loopback port, and the controllers of Deployments, ReplicaSets, ReplicationControllers, garbage,
 * namespaces and quotas, with nodes that simulate pods. Several can run side by side. Resolves when the cluster has settled.
 *
 * Rejects with a TypeError for invalid options, with a DataDirectoryError for a data directory that cannot be used, and with a UsageError for a port that cannot
 * be used, whose `cause` is Node's error.
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const parsed = parseClusterOptions(options);
  const files = new ClusterFiles(parsed.dataDir);
  try {
    return await start(parsed, files);
  } catch (error) {
    files.close(undefined);
    throw refusedPort(error, parsed.port);
  }
}

async function start(options: ParsedClusterOptions, files: ClusterFiles): Promise<Cluster> {
  const virtualClock = options.isVirtual ? new VirtualClock(startMsOf(options, files)) : undefined;
  const { quietMs, pods, log } = options;
  const clock = virtualClock ?? new SystemClock();
  const onAdvance = (untilMs: number) => files.keepTime(untilMs);
  const controls = new TestControls({ clock, virtualClock, quietMs, pods, log, onAdvance });
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
    ...controls.controlPlaneOptions(),
  });
  try {
    const text = kubeconfig(controlPlane.url, administrator);
    const kubeconfigPath = files.writeKubeconfig(text);
    await controls.attach(controlPlane);
    return createCluster({
      controlPlane,
      administratorToken: administrator?.token,
      clock,
      virtualClock,
      controls,
      files,
      kubeconfig: text,
      kubeconfigPath,
    });
  } catch (error) {
    await controlPlane.stop();
    throw error;
  }
}

function startMsOf({ startMs }: ParsedClusterOptions, files: ClusterFiles): number {
  const stoppedAtMs = files.stoppedAtMs();
  const firstMs = virtualStartMs(startMs, stoppedAtMs);
  if (firstMs !== 'tooEarly') return firstMs;
  const stoppedAt = new Date(stoppedAtMs ?? 0).toISOString();
  throw new TypeError(
    `startCluster: startTime must not lie before ${stoppedAt}, when the data directory's last cluster stopped`,
  );
}
