import { fencepostsOf } from './fenceposts.ts';
import { availableReplicas, currentReplicas, desiredReplicas, isActive, lastingAvailable } from './replicaCounts.ts';
import type { Rollout } from './Rollout.ts';

/** What must become available before an old replica may go, where `spare` (0 or less) says that none may. */
export function untilSpare({ deployment, newReplicaSet }: Rollout, spare: number): string {
  const { floor } = fencepostsOf(deployment);
  const available = newReplicaSet ? lastingAvailable(newReplicaSet) : 0;
  const needed = available + 1 - spare;
  if (!newReplicaSet || needed > desiredReplicas(newReplicaSet))
    return `waits until there are more than ${floor} replicas`;
  return `waits until new replica set ${newReplicaSet.metadata.name} has ${needed} available (now ${available})`;
}

/** What is missing to the end of a rollout whose replica sets all have their final sizes; nothing if they have not, or nothing is missing. */
export function untilComplete({ deployment, newReplicaSet, oldReplicaSets }: Rollout): readonly string[] {
  const desired = desiredReplicas(deployment);
  const hasFinalSizes = desiredReplicas(newReplicaSet ?? deployment) === desired && !oldReplicaSets.some(isActive);
  if (!newReplicaSet || !hasFinalSizes) return [];
  const leaving = oldReplicaSets.filter((replicaSet) => currentReplicas(replicaSet) > 0);
  const until = leaving.map(
    (replicaSet) =>
      `waits until old replica set ${replicaSet.metadata.name} has deleted ${currentReplicas(replicaSet)} pods`,
  );
  const available = availableReplicas(newReplicaSet);
  if (available >= desired) return until;
  const { name } = newReplicaSet.metadata;
  return [
    ...until,
    `waits until new replica set ${name} has all ${desired} available (now ${available}${readyToo(newReplicaSet)})`,
  ];
}

/** Pods count as available once they have been ready for `minReadySeconds`. */
function readyToo(newReplicaSet: NonNullable<Rollout['newReplicaSet']>): string {
  const more = (newReplicaSet.status?.readyReplicas ?? 0) - availableReplicas(newReplicaSet);
  const seconds = newReplicaSet.spec?.minReadySeconds ?? 0;
  return more > 0 && seconds > 0 ? `; ${more} more are ready, and count after ${seconds} s of it` : '';
}
