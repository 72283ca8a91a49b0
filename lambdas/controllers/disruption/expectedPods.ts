import type { PodDisruptionBudget as ApiBudget } from 'kubernetes-types/policy/v1.js';
import { controllerOf, type KubernetesObject, type Stored } from '../../objects/KubernetesObject.ts';
import type { Pod } from '../../objects/kinds.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { RegistryReader } from '../guardWrites.ts';

export type PodDisruptionBudget = Stored<ApiBudget>;

/** The number of pods that there should be, and how many of them must stay healthy; or why that is not known. */
export type ExpectedPods =
  | { readonly expected: number; readonly desired: number; readonly error?: undefined }
  | { readonly error: string };

/** The kinds with a number of pods. */
const SCALED: Readonly<Record<string, GroupResource>> = {
  Deployment: 'deployments.apps',
  ReplicaSet: 'replicasets.apps',
  ReplicationController: 'replicationcontrollers',
  StatefulSet: 'statefulsets.apps',
};

/** Kubernetes' `getExpectedPodCount`. Only a `minAvailable` that is a number needs no look at the pods' controllers. */
export async function getExpectedPodCount(
  registry: RegistryReader,
  { spec }: PodDisruptionBudget,
  pods: readonly Pod[],
): Promise<ExpectedPods> {
  const { minAvailable, maxUnavailable } = spec ?? {};
  if (maxUnavailable === undefined && typeof minAvailable === 'number')
    return { expected: pods.length, desired: minAvailable };
  if (maxUnavailable === undefined && minAvailable === undefined) return { expected: 0, desired: 0 };
  const scale = await getExpectedScale(registry, pods);
  if (typeof scale === 'string') return { error: scale };
  if (maxUnavailable === undefined) return { expected: scale, desired: scaled(minAvailable ?? 0, scale) };
  return { expected: scale, desired: Math.max(0, scale - scaled(maxUnavailable, scale)) };
}

/** A percentage of the total, rounded up. `29%` of 100 is 29, whatever floating point makes of 0.29. */
function scaled(value: number | string, total: number): number {
  return typeof value === 'number' ? value : Math.ceil((Number.parseInt(value, 10) * total) / 100);
}

/** Kubernetes' `getExpectedScale`: the sum of what the pods' controllers want. Pods without a controller do not count. Returns an error's text for a controller without a number. */
async function getExpectedScale(registry: RegistryReader, pods: readonly Pod[]): Promise<number | string> {
  const owners = new Map(pods.flatMap((pod) => (controllerOf(pod) ? [[controllerOf(pod)?.uid, pod] as const] : [])));
  const found = await Promise.all([...owners.values()].map((pod) => scaledOwner(registry, pod)));
  const scales = new Map<string, number>();
  for (const one of found) {
    if (typeof one === 'string') return one;
    scales.set(one.metadata.uid, (one['spec'] as { replicas?: number } | undefined)?.replicas ?? 1);
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
}

/** Returns the controller that says how many such pods there should be: of a ReplicaSet of a Deployment, the Deployment. */
async function scaledOwner(registry: RegistryReader, pod: Pod): Promise<KubernetesObject | string> {
  const unknown = `found no controllers for pod ${JSON.stringify(pod.metadata.name)}`;
  const owner = await ownerOf(registry, pod);
  if (!owner) return unknown;
  return (await ownerOf(registry, owner)) ?? owner;
}

async function ownerOf(registry: RegistryReader, object: KubernetesObject): Promise<KubernetesObject | undefined> {
  const reference = controllerOf(object);
  const resource = reference && SCALED[reference.kind];
  if (!resource) return undefined;
  const key = { resource, namespace: object.metadata.namespace ?? '', name: reference.name };
  const owner = await registry.get(key);
  return owner?.metadata.uid === reference.uid ? owner : undefined;
}
