import type { OwnerReference } from 'kubernetes-types/meta/v1.js';
import { controllerOf, type KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { ResourceCatalog } from '../../registry/ResourceCatalog.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { readScale } from '../scale/readScale.ts';

/** How many pods a controller wants. */
export interface ControllerScale {
  readonly uid: string;
  readonly replicas: number;
}

/** Where controllers of pods are looked up. */
export interface ScaleFinder {
  readonly registry: Pick<RegistryReader, 'get'>;
  readonly catalog: ResourceCatalog;
}

/** The kinds that are found whatever version their pods name, in these groups. */
const WORKLOADS: Readonly<Record<string, { readonly resource: GroupResource; readonly groups: readonly string[] }>> = {
  ReplicationController: { resource: 'replicationcontrollers', groups: [''] },
  Deployment: { resource: 'deployments.apps', groups: ['apps', 'extensions'] },
  ReplicaSet: { resource: 'replicasets.apps', groups: ['apps', 'extensions'] },
  StatefulSet: { resource: 'statefulsets.apps', groups: ['apps'] },
};

/**
 * Finds how many pods the controller of a pod wants: of a Deployment's ReplicaSet, the Deployment; of any other kind, what its scale subresource says. Kubernetes' `finders`. Returns `undefined` for a controller that is gone,
 * and an error's text for one without a scale.
 */
export async function findControllerScale(
  finder: ScaleFinder,
  reference: OwnerReference,
  namespace: string,
): Promise<ControllerScale | { readonly error: string } | undefined> {
  const workload = reference.kind === 'Deployment' ? undefined : await getWorkload(finder, reference, namespace);
  const deployment = workload && (await getPodDeployment(finder, workload));
  const wanted = deployment ?? workload;
  if (wanted) return { uid: wanted.metadata.uid, replicas: replicasOf(wanted) };
  return await getScaleController(finder, reference, namespace);
}

/** The Deployment of a ReplicaSet. One that is gone leaves the ReplicaSet's own number. */
async function getPodDeployment(finder: ScaleFinder, owner: KubernetesObject): Promise<KubernetesObject | undefined> {
  const reference = owner.kind === 'ReplicaSet' ? controllerOf(owner) : undefined;
  if (reference?.kind !== 'Deployment') return undefined;
  return await getWorkload(finder, reference, owner.metadata.namespace ?? '');
}

async function getWorkload(
  { registry }: ScaleFinder,
  { apiVersion, kind, name, uid }: OwnerReference,
  namespace: string,
): Promise<KubernetesObject | undefined> {
  const workload = WORKLOADS[kind];
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
  if (!workload?.groups.includes(group)) return undefined;
  const object = await registry.get({ resource: workload.resource, namespace, name });
  return object?.metadata.uid === uid ? object : undefined;
}

async function getScaleController({ registry, catalog }: ScaleFinder, reference: OwnerReference, namespace: string) {
  const scale = await readScale(registry, catalog, reference, namespace);
  switch (scale.status) {
    case 'failed':
      return { error: scale.message };
    case 'notFound':
      return undefined;
    case 'found':
      return scale.object.metadata.uid === reference.uid
        ? { uid: reference.uid, replicas: scale.replicas.spec }
        : undefined;
  }
}

function replicasOf(object: KubernetesObject): number {
  return (object['spec'] as { replicas?: number } | undefined)?.replicas ?? 1;
}
