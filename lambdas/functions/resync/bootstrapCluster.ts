import type { KubernetesRelease } from '../../objects/KubernetesRelease.ts';
import type { NewObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { STANDARD_STORAGE_CLASS } from '../../objects/simulated/simulatedStorage.ts';
import type { Registry } from '../../registry/Registry.ts';
import { SYSTEM_PRIORITY_CLASSES } from '../../registry/resources/priorityClasses.ts';
import { restoreKubernetesService, type ServerAddress } from './restoreKubernetesService.ts';
import { type NodeSpec, simulatedLease, simulatedNode } from './simulatedNode.ts';

const SYSTEM_NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/**
 * Creates the objects that every cluster has from the start: the system namespaces, the Service of the API server, the priority classes, and the nodes, Ready, with their leases and a class of storage. Objects
 * that exist already, as after a restart, stay as they are. A resource that is not served is left out.
 * The nodes' components are of this release; absent: the newest. Pods reach the API server at `server`; absent: not at all. Its Service has `clusterIp`; absent: kubeadm's.
 * No webhook is asked: one that is down could keep the server from starting.
 */
export async function bootstrapCluster(
  registry: Registry,
  served: readonly GroupResource[],
  nodes: readonly NodeSpec[],
  nowMs: number,
  release?: KubernetesRelease,
  server?: ServerAddress,
  clusterIp?: string,
): Promise<void> {
  const create = async (resource: GroupResource, object: NewObject) => {
    if (!served.includes(resource)) return;
    const created = await registry.create(resource, object, { request: 'admitted' });
    if (created.status === 'refused' && created.error.reason !== 'AlreadyExists') throw created.error;
  };
  for (const name of SYSTEM_NAMESPACES) {
    await create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  // What is refused, because its namespace is being deleted, is tried again every minute.
  await restoreKubernetesService(registry, served, server, clusterIp);
  for (const priorityClass of SYSTEM_PRIORITY_CLASSES) await create('priorityclasses.scheduling.k8s.io', priorityClass);
  // Volumes are simulated for pods on simulated nodes only.
  if (nodes.length > 0) await create('storageclasses.storage.k8s.io', STANDARD_STORAGE_CLASS);
  for (const [index, node] of nodes.entries()) {
    await create('nodes', simulatedNode(index + 1, node, nowMs, release));
    await create('leases.coordination.k8s.io', simulatedLease(index + 1, node, nowMs));
  }
}
