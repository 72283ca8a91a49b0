import type { ReplicaSet } from '../../objects/kinds.ts';
import { DESIRED_REPLICAS } from '../../objects/deploymentAnnotations.ts';
import { ceilingInWords, fencepostsOf, isRollingUpdate } from './fenceposts.ts';
import { scaleProportionally } from './proportionalScaling.ts';
import { availableReplicas, desiredReplicas, isActive, possiblePods, sumOf } from './replicaCounts.ts';
import { parseRevision } from './revisions.ts';
import { allReplicaSets, NO_STEP, type Rollout, type Step } from './Rollout.ts';
import { unobserved } from './unobserved.ts';

/**
 * `isScalingEvent`: whether an active ReplicaSet was last sized for another number of replicas than the Deployment asks for now.
 *
 * With several active ones and Recreate it is none: nothing would be scaled, so Kubernetes takes each later sync for the same scaling event, and what is left of a
 * rolling update whose strategy and size were changed stays as it is for ever. Recreate takes the old ones away whatever the size. Pure.
 */
export function isScalingEvent(rollout: Rollout): boolean {
  if (!isRollingUpdate(rollout.deployment) && activeOrLatest(rollout) === undefined) return false;
  return allReplicaSets(rollout)
    .filter(isActive)
    .some((replicaSet) => {
      const annotated = annotatedReplicas(replicaSet);
      return annotated !== undefined && annotated !== desiredReplicas(rollout.deployment);
    });
}

/**
 * `scale`: what a scaled or paused Deployment does instead of rolling on. One active ReplicaSet takes all; a complete rollout loses what is left of the
 * old; in the middle of one, all grow or shrink by their shares, so that the mix of old and new stays and a bad template gets no larger part. Pure.
 */
export function decideScaling(rollout: Rollout): Step {
  const waitsFor = unobserved(rollout);
  if (waitsFor.length > 0) return { ...NO_STEP, waitsFor };
  if (allReplicaSets(rollout).length === 0) return NO_STEP;
  const only = activeOrLatest(rollout);
  if (only) return scaleOnly(rollout, only);
  if (isSaturated(rollout)) return scaleDownOld(rollout);
  return isRollingUpdate(rollout.deployment) ? scaleProportionally(rollout) : NO_STEP;
}

/** `FindActiveOrLatest`: the only active one; with none active the new one, else the newest old one; `undefined` if several are active. */
export function activeOrLatest(rollout: Rollout): ReplicaSet | undefined {
  const active = allReplicaSets(rollout).filter(isActive);
  if (active.length === 0) return rollout.newReplicaSet ?? rollout.oldReplicaSets.at(-1);
  return active.length === 1 ? active[0] : undefined;
}

/**
 * Kubernetes leaves the replica annotations of one that has the right size already, and then takes each later sync for a scaling event, so that no new template is
 * ever rolled out; we bring them up to date.
 */
function scaleOnly(rollout: Rollout, replicaSet: ReplicaSet): Step {
  const replicas = desiredReplicas(rollout.deployment);
  const { name } = replicaSet.metadata;
  if (desiredReplicas(replicaSet) === replicas && (annotatedReplicas(replicaSet) ?? replicas) === replicas)
    return NO_STEP;
  const tooMany = whatExceedsCeiling(rollout, replicaSet, replicas);
  if (tooMany !== undefined) return { ...NO_STEP, waitsFor: [tooMany] };
  const why = [`${name} is the only replica set to scale, so it gets all ${replicas} replicas`];
  return { resizes: [{ replicaSet, replicas }], why, waitsFor: [] };
}

/** Pods that others are still to delete count until they are; Recreate has no ceiling. */
function whatExceedsCeiling(rollout: Rollout, replicaSet: ReplicaSet, replicas: number): string | undefined {
  if (!isRollingUpdate(rollout.deployment) || replicas <= desiredReplicas(replicaSet)) return undefined;
  const others = sumOf(
    allReplicaSets(rollout).filter((other) => other !== replicaSet),
    possiblePods,
  );
  const { ceiling } = fencepostsOf(rollout.deployment);
  if (others + replicas <= ceiling) return undefined;
  const may = Math.max(0, ceiling - replicas);
  return `waits until at most ${may} of ${others} pods of other replica sets are left: ${ceilingInWords(rollout.deployment)}`;
}

/** `IsSaturated`: the new ReplicaSet was sized for all replicas, and has them available. */
function isSaturated({ deployment, newReplicaSet }: Rollout): boolean {
  if (!newReplicaSet) return false;
  const desired = desiredReplicas(deployment);
  return (
    desiredReplicas(newReplicaSet) === desired &&
    annotatedReplicas(newReplicaSet) === desired &&
    availableReplicas(newReplicaSet) === desired
  );
}

/** An old ReplicaSet was adopted, or scaled by hand, after the rollout was complete. */
function scaleDownOld({ oldReplicaSets }: Rollout): Step {
  const active = oldReplicaSets.filter(isActive);
  const why = ['the new replica set has all replicas available, so the old ones go'];
  return { resizes: active.map((replicaSet) => ({ replicaSet, replicas: 0 })), why, waitsFor: [] };
}

function annotatedReplicas(replicaSet: ReplicaSet): number | undefined {
  return parseRevision(replicaSet.metadata.annotations?.[DESIRED_REPLICAS] ?? '');
}
