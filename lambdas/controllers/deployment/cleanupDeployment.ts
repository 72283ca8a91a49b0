import type { ReplicaSet } from '../../objects/kinds.ts';
import type { Rollout } from './Rollout.ts';
import { byRevision, type SizedReplicaSet } from './SizedReplicaSet.ts';

/** `math.MaxInt32`: in older API versions this limit means that all history is kept. */
const NO_LIMIT = 2_147_483_647;

/**
 * `cleanupDeployment`, pure: the old ReplicaSets to delete, so that `revisionHistoryLimit` of them are kept for rollbacks. Those with the lowest revisions go. One
 * that has pods, or may get some, stays and makes the history longer for now. One that is being deleted does not count.
 */
export function cleanupDeployment({ deployment, oldReplicaSets }: Rollout): readonly ReplicaSet[] {
  const limit = deployment.spec?.revisionHistoryLimit;
  if (limit === undefined || limit === NO_LIMIT) return [];
  const alive = oldReplicaSets.filter(({ stored }) => stored.metadata.deletionTimestamp === undefined);
  const surplus = Math.max(0, alive.length - limit);
  const outdated = alive.toSorted(byRevision).slice(0, surplus);
  return outdated.filter(hasNoPods).map(({ stored }) => stored);
}

function hasNoPods({ current, desired, isObserved }: SizedReplicaSet): boolean {
  return current === 0 && desired === 0 && isObserved;
}
