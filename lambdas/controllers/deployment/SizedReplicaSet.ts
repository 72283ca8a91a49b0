import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { templatesEqual } from '../../objects/pods/podTemplateHash.ts';
import { desiredReplicasAnnotation, maxReplicasAnnotation, revisionIn } from './replicaSetAnnotations.ts';
import { availableReplicas, byAge, currentReplicas, desiredReplicas, isObserved } from './replicaSets.ts';

/** A ReplicaSet of a Deployment and what the steps ask about it, read once. */
export interface SizedReplicaSet {
  /** As it was read: what its write starts from. */
  readonly stored: ReplicaSet;
  /** As stored, but the new ReplicaSet has its revision already, which is still to be written. Its size is `desired`, which a step may have changed. */
  readonly object: ReplicaSet;
  readonly name: string;
  readonly uid: string;
  /** True if it has the Deployment's template, hash labels aside. */
  readonly hasTemplate: boolean;
  /** `undefined` if it is not an int64. */
  readonly revision: bigint | undefined;
  /** `GetDesiredReplicasAnnotation`: the Deployment's replicas when this ReplicaSet was last sized. */
  readonly sizedFor: number | undefined;
  /** `getMaxReplicasAnnotation`: the Deployment's replicas and surge at that time. */
  readonly sizedWithin: number | undefined;
  /** False until its status reflects its spec. */
  readonly isObserved: boolean;
  readonly current: number;
  readonly ready: number;
  readonly available: number;
  readonly desired: number;
  /** True if it is to have pods. */
  readonly isActive: boolean;
  /** The most pods that may exist: the desired ones, or those that are still there. The ceiling of a rollout bounds their sum. */
  readonly possiblePods: number;
  /** The available pods that are sure to stay: an available pod beyond `desired` is about to be deleted. The floor of a rollout bounds their sum. */
  readonly lastingAvailable: number;
}

export function sizedReplicaSet(stored: ReplicaSet, deployment: Deployment): SizedReplicaSet {
  const { metadata, spec, status } = stored;
  const counts = {
    current: currentReplicas(stored),
    ready: status?.readyReplicas ?? 0,
    available: availableReplicas(stored),
  };
  return {
    stored,
    object: stored,
    name: metadata.name,
    uid: metadata.uid,
    hasTemplate: templatesEqual(spec?.template, deployment.spec?.template),
    revision: revisionIn(metadata.annotations),
    sizedFor: desiredReplicasAnnotation(stored),
    sizedWithin: maxReplicasAnnotation(stored),
    isObserved: isObserved(stored),
    ...counts,
    ...sizeOf(counts, desiredReplicas(stored)),
  };
}

/** The ReplicaSet with another size, and with the counts that depend on it. Pure. */
export function withReplicas(replicaSet: SizedReplicaSet, replicas: number): SizedReplicaSet {
  return { ...replicaSet, ...sizeOf(replicaSet, replicas) };
}

function sizeOf({ current, available }: Pick<SizedReplicaSet, 'current' | 'available'>, desired: number) {
  return {
    desired,
    isActive: desired > 0,
    possiblePods: Math.max(desired, current),
    lastingAvailable: Math.min(desired, available),
  };
}

/** An order for `toSorted`. None calls two ReplicaSets equal. */
type ReplicaSetOrder = (a: SizedReplicaSet, b: SizedReplicaSet) => number;

/** `ReplicaSetsBySizeNewer`: largest first, and of equal ones the newest first: the order in which they get replicas. */
export const bySizeNewer: ReplicaSetOrder = (a, b) => b.desired - a.desired || byAge(b.stored, a.stored);

/** `ReplicaSetsBySizeOlder`: largest first, and of equal ones the oldest first: the order in which they lose replicas. */
export const bySizeOlder: ReplicaSetOrder = (a, b) => b.desired - a.desired || byAge(a.stored, b.stored);

/** `ReplicaSetsByRevision`: lowest revision first; a ReplicaSet whose revision is not an int64 is ordered by age. */
export const byRevision: ReplicaSetOrder = (a, b) => {
  const older = byAge(a.stored, b.stored);
  if (a.revision === undefined || b.revision === undefined || a.revision === b.revision) return older;
  return a.revision < b.revision ? -1 : 1;
};
