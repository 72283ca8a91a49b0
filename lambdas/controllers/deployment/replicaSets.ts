import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';

/** The counts of Deployments and ReplicaSets, with Kubernetes' defaults for absent ones, and the orders in which ReplicaSets are taken. */

/** `spec.replicas`. Stored objects are defaulted, so it is absent in older data only. */
export function desiredReplicas(object: Deployment | ReplicaSet): number {
  return object.spec?.replicas ?? 1;
}

/** `status.replicas`: the pods that the ReplicaSet's controller last counted, without those being deleted. */
export function currentReplicas(replicaSet: ReplicaSet): number {
  return replicaSet.status?.replicas ?? 0;
}

export function availableReplicas(replicaSet: ReplicaSet): number {
  return replicaSet.status?.availableReplicas ?? 0;
}

/** The most pods that may exist: the desired ones, or those that are still there. The ceiling of a rollout bounds their sum. */
export function possiblePods(replicaSet: ReplicaSet): number {
  return Math.max(desiredReplicas(replicaSet), currentReplicas(replicaSet));
}

/** The available pods that are sure to stay: an available pod beyond `spec.replicas` is about to be deleted. The floor of a rollout bounds their sum. */
export function lastingAvailable(replicaSet: ReplicaSet): number {
  return Math.min(desiredReplicas(replicaSet), availableReplicas(replicaSet));
}

/** True if its status reflects its current spec. Until then it may own more pods than spec and status say: those of a spec between the two. */
export function isObserved(replicaSet: ReplicaSet): boolean {
  return (replicaSet.status?.observedGeneration ?? 0) >= (replicaSet.metadata.generation ?? 0);
}

export function isActive(replicaSet: ReplicaSet): boolean {
  return desiredReplicas(replicaSet) > 0;
}

/** `GetReplicaCountForReplicaSets` and its siblings: the sum of one of these counts. */
export function sumOf(replicaSets: readonly ReplicaSet[], count: (replicaSet: ReplicaSet) => number): number {
  return replicaSets.reduce((sum, replicaSet) => sum + count(replicaSet), 0);
}

/** An order for `toSorted`. None calls two ReplicaSets equal. */
export type ReplicaSetOrder = (a: ReplicaSet, b: ReplicaSet) => number;

/** `ReplicaSetsByCreationTimestamp`: oldest first, then by name, since creation times have whole seconds. */
export const byAge: ReplicaSetOrder = (a, b) =>
  compareText(a.metadata.creationTimestamp, b.metadata.creationTimestamp) ||
  compareText(a.metadata.name, b.metadata.name);

/** `ReplicaSetsBySizeNewer`: largest first, and of equal ones the newest first: the order in which they get replicas. */
export const bySizeNewer: ReplicaSetOrder = (a, b) => desiredReplicas(b) - desiredReplicas(a) || byAge(b, a);

/** `ReplicaSetsBySizeOlder`: largest first, and of equal ones the oldest first: the order in which they lose replicas. */
export const bySizeOlder: ReplicaSetOrder = (a, b) => desiredReplicas(b) - desiredReplicas(a) || byAge(a, b);

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
