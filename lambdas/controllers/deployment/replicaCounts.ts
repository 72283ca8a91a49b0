import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';

/** The counts of Deployments and ReplicaSets, with what Kubernetes takes an absent one for. */

/** `spec.replicas`; stored objects are defaulted, so an absent one is only met in older data. */
export function desiredReplicas(object: Deployment | ReplicaSet): number {
  return object.spec?.replicas ?? 1;
}

/** `status.replicas`: the pods that its controller last saw, without those being deleted. */
export function currentReplicas(replicaSet: ReplicaSet): number {
  return replicaSet.status?.replicas ?? 0;
}

export function availableReplicas(replicaSet: ReplicaSet): number {
  return replicaSet.status?.availableReplicas ?? 0;
}

/** The most pods that may exist of it: those it shall have, or those it still has. What the ceiling of a rollout counts. */
export function possiblePods(replicaSet: ReplicaSet): number {
  return Math.max(desiredReplicas(replicaSet), currentReplicas(replicaSet));
}

/** The available pods that are sure to stay: an available one beyond `spec.replicas` is about to go. What the floor of a rollout counts. */
export function lastingAvailable(replicaSet: ReplicaSet): number {
  return Math.min(desiredReplicas(replicaSet), availableReplicas(replicaSet));
}

/** True once its status tells of its current spec. Until then it may own more pods than either says: those of a spec between the two. */
export function isObserved(replicaSet: ReplicaSet): boolean {
  return (replicaSet.status?.observedGeneration ?? 0) >= (replicaSet.metadata.generation ?? 0);
}

export function isActive(replicaSet: ReplicaSet): boolean {
  return desiredReplicas(replicaSet) > 0;
}

export function sumOf(replicaSets: readonly ReplicaSet[], count: (replicaSet: ReplicaSet) => number): number {
  return replicaSets.reduce((sum, replicaSet) => sum + count(replicaSet), 0);
}
