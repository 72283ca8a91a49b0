import { controllerOf, type KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Pod } from '../../objects/kinds.ts';
import type { GroupResource, ObjectKey } from '../../objects/ObjectKey.ts';
import { POD_TEMPLATE_HASH_LABEL } from '../../objects/pods/podTemplateHash.ts';

/** The kinds whose annotations say which load their pods share. */
const WORKLOADS: Readonly<Record<string, GroupResource>> = {
  DaemonSet: 'daemonsets.apps',
  ReplicaSet: 'replicasets.apps',
  ReplicationController: 'replicationcontrollers',
  StatefulSet: 'statefulsets.apps',
};

/**
 * Returns the objects that may be the pod's workload, the most probable first. That of a ReplicaSet's pod is its Deployment: the ReplicaSet's name tells the Deployment's, so it need not be read. Pods without a controller, and of
 * other controllers, have none. Pure.
 */
export function workloadCandidates(pod: Pod): readonly ObjectKey[] {
  const controller = controllerOf(pod);
  const resource = controller && WORKLOADS[controller.kind];
  if (!resource) return [];
  const { namespace = '', labels } = pod.metadata;
  const own = { resource, namespace, name: controller.name };
  const hash = labels?.[POD_TEMPLATE_HASH_LABEL] ?? '';
  const isOfDeployment = controller.kind === 'ReplicaSet' && hash !== '' && controller.name.endsWith(`-${hash}`);
  if (!isOfDeployment) return [own];
  return [{ ...own, resource: 'deployments.apps', name: controller.name.slice(0, -hash.length - 1) }, own];
}

type Read = (key: ObjectKey) => Promise<KubernetesObject | undefined>;

/** Looks up the workload of each pod; each object is read once, by `read`. A pod without a workload is not in the map. */
export async function observeWorkloads(pods: readonly Pod[], read: Read): Promise<ReadonlyMap<Pod, KubernetesObject>> {
  const reads = new Map<string, Promise<KubernetesObject | undefined>>();
  const once = (key: ObjectKey) => {
    const name = `${key.resource}/${key.namespace}/${key.name}`;
    const known = reads.get(name) ?? read(key);
    reads.set(name, known);
    return known;
  };
  const found = await Promise.all(
    pods.map(async (pod) => [pod, await firstOf(workloadCandidates(pod), once)] as const),
  );
  return new Map(found.flatMap(([pod, workload]) => (workload ? [[pod, workload] as const] : [])));
}

async function firstOf(candidates: readonly ObjectKey[], read: Read): Promise<KubernetesObject | undefined> {
  for (const key of candidates) {
    const found = await read(key);
    if (found) return found;
  }
  return undefined;
}
