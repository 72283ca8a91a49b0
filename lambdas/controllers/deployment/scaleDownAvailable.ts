import { fencepostsOf } from './fenceposts.ts';
import { desiredReplicas, isActive, lastingAvailable, sumOf } from './replicaCounts.ts';
import { allReplicaSets, type Resize, type Rollout, type Step } from './Rollout.ts';

/**
 * `scaleDownOldReplicaSetsForRollingUpdate`: takes from the old ReplicaSets, oldest first, as many replicas as there are more available ones than the floor
 * asks for. An available replica that its ReplicaSet is about to delete does not count. Pure.
 */
export function scaleDownAvailable(rollout: Rollout): Step {
  const { floor } = fencepostsOf(rollout.deployment);
  const available = sumOf(allReplicaSets(rollout), lastingAvailable);
  let left = available - floor;
  const why = [`${available} available - ${floor} = ${left} more than must stay`];
  if (left <= 0)
    return { resizes: [], why, waitsFor: [`waits until ${floor + 1} pods are available (now ${available})`] };
  const resizes: Resize[] = [];
  for (const replicaSet of rollout.oldReplicaSets.filter(isActive)) {
    const replicas = desiredReplicas(replicaSet);
    const taken = Math.min(left, replicas);
    if (taken === 0) break;
    resizes.push({ replicaSet, replicas: replicas - taken });
    left -= taken;
  }
  return { resizes, why, waitsFor: [] };
}
