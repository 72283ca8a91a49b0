import type { ReplicaSet } from '../../objects/kinds.ts';
import { desiredReplicas, lastingAvailable } from './replicaCounts.ts';
import type { Resize, Step } from './Rollout.ts';

/**
 * `cleanupUnhealthyReplicas`: takes from each old ReplicaSet, oldest first, as many replicas as are not available, `atMost` in all. Otherwise they would keep
 * the rollout from going on. A ReplicaSet deletes its unhealthy pods before its healthy ones, so no available pod goes. Pure.
 */
export function cleanUpUnhealthy(oldReplicaSets: readonly ReplicaSet[], atMost: number): Step {
  const resizes: Resize[] = [];
  const why: string[] = [];
  let left = atMost;
  for (const replicaSet of oldReplicaSets) {
    const replicas = desiredReplicas(replicaSet);
    const unhealthy = replicas - lastingAvailable(replicaSet);
    const taken = Math.min(left, unhealthy);
    if (taken <= 0) continue;
    resizes.push({ replicaSet, replicas: replicas - taken });
    why.push(`${taken} of ${unhealthy} unhealthy replicas of ${replicaSet.metadata.name} go first`);
    left -= taken;
  }
  return { resizes, why, waitsFor: [] };
}
