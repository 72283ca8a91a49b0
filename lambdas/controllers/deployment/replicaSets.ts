import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { templatesEqual } from '../../objects/pods/podTemplateHash.ts';

/** The counts of Deployments and ReplicaSets, with Kubernetes' defaults for absent ones, their order, and the one with the Deployment's template. */

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

/** True if its status reflects its current spec. Until then it may own more pods than spec and status say: those of a spec between the two. */
export function isObserved(replicaSet: ReplicaSet): boolean {
  return (replicaSet.status?.observedGeneration ?? 0) >= (replicaSet.metadata.generation ?? 0);
}

export function isActive(replicaSet: ReplicaSet): boolean {
  return desiredReplicas(replicaSet) > 0;
}

/** The ReplicaFailure condition: pods cannot be created, or deleted. */
export function replicaFailureOf({ status }: ReplicaSet) {
  return status?.conditions?.find(({ type }) => type === 'ReplicaFailure');
}

/** `ReplicaSetsByCreationTimestamp`: oldest first, then by name, since creation times have whole seconds. For `toSorted`; calls no two ReplicaSets equal. */
export function byAge(a: ReplicaSet, b: ReplicaSet): number {
  return (
    compareText(a.metadata.creationTimestamp, b.metadata.creationTimestamp) ||
    compareText(a.metadata.name, b.metadata.name)
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** `FindNewReplicaSet`: the ReplicaSet with the Deployment's template. Adoption can bring several; the oldest is the new one then. Pure. */
export function findNewReplicaSet(deployment: Deployment, replicaSets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const template = deployment.spec?.template;
  return replicaSets.toSorted(byAge).find(({ spec }) => templatesEqual(spec?.template, template));
}
