import type { ReplicaSet } from '../../objects/kinds.ts';
import { currentReplicas, desiredReplicas, isObserved } from './replicaCounts.ts';
import { byRevision } from './replicaSetOrder.ts';
import type { Rollout } from './Rollout.ts';

/** `math.MaxInt32`: how older API versions say that all history is kept. */
const NO_LIMIT = 2_147_483_647;

/**
 * `cleanupDeployment`: the old ReplicaSets to delete, so that `revisionHistoryLimit` of them stay to be rolled back to. Those of the lowest revisions go; one
 * of them that has pods, or may get some, stays and makes the history longer for now, as does one that is being deleted. Pure.
 */
export function decideCleanup({ deployment, oldReplicaSets }: Rollout): readonly ReplicaSet[] {
  const limit = deployment.spec?.revisionHistoryLimit;
  if (limit === undefined || limit === NO_LIMIT) return [];
  const alive = oldReplicaSets.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const surplus = Math.max(0, alive.length - limit);
  return alive.toSorted(byRevision).slice(0, surplus).filter(hasNoPods);
}

function hasNoPods(replicaSet: ReplicaSet): boolean {
  return currentReplicas(replicaSet) === 0 && desiredReplicas(replicaSet) === 0 && isObserved(replicaSet);
}
