import type { ReplicaSet } from '../../objects/kinds.ts';
import { deploymentComplete } from './calculateStatus.ts';
import type { RolloutOutcome } from './Plan.ts';
import { byRevision } from './replicaSetAnnotations.ts';
import { currentReplicas, desiredReplicas, isObserved } from './replicaSets.ts';
import type { Rollout, Scaling, World } from './Rollout.ts';

/** `math.MaxInt32`: in older API versions this limit means that all history is kept. */
const NO_LIMIT = 2_147_483_647;

/**
 * `cleanupDeployment`, pure: the old ReplicaSets to delete, so that `revisionHistoryLimit` of them are kept for rollbacks. Those with the lowest revisions go. One
 * that has pods, or may get some, stays and makes the history longer for now. One that is being deleted does not count.
 */
export function cleanupDeployment({ deployment, oldReplicaSets }: Rollout): readonly ReplicaSet[] {
  const limit = deployment.spec?.revisionHistoryLimit;
  if (limit === undefined || limit === NO_LIMIT) return [];
  const alive = oldReplicaSets.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const surplus = Math.max(0, alive.length - limit);
  return alive.toSorted(byRevision).slice(0, surplus).filter(hasNoPods);
}

function hasNoPods(replicaSet: ReplicaSet): boolean {
  return currentReplicas(replicaSet) === 0 && desiredReplicas(replicaSet) === 0 && isObserved(replicaSet);
}

/** How both strategies end: sizes, the estimated progress, and a clean-up of the history once the stored status says that the rollout is complete. */
export function rolloutOutcome(world: World, rollout: Rollout, { resizes, why, waitsFor }: Scaling): RolloutOutcome {
  const { deployment } = world;
  const wasComplete = deploymentComplete(deployment, deployment.status ?? {});
  const remove = resizes.length === 0 && wasComplete ? cleanupDeployment(rollout) : [];
  return { write: 'rollout', rollout, resizes, remove, status: { from: 'progress' }, why, waitsFor };
}
