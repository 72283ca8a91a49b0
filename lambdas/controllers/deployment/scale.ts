import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import type { Wait } from '../Reason.ts';
import type { RolloutOutcome } from './Plan.ts';
import { desiredReplicasAnnotation, maxReplicasAnnotation } from './replicaSetAnnotations.ts';
import {
  availableReplicas,
  bySizeNewer,
  bySizeOlder,
  currentReplicas,
  desiredReplicas,
  isActive,
  lastingAvailable,
  possiblePods,
  sumOf,
} from './replicaSets.ts';
import { ceilingOf, isRollingUpdate, resolveFenceposts } from './resolveFenceposts.ts';
import {
  allReplicaSets,
  NO_SCALING,
  type Resize,
  type Rollout,
  type Scaling,
  unobserved,
  type World,
} from './Rollout.ts';

/** Step: a Deployment that was scaled gets its new size before it rolls on. */
export function scaleOnEvent(world: World, rollout: Rollout): RolloutOutcome | undefined {
  return isScalingEvent(rollout) ? scaledOutcome(world, rollout) : undefined;
}

/** `sync` of Kubernetes, without its clean-up for paused Deployments: new sizes, and the counts of the status. */
export function scaledOutcome({ deployment }: World, rollout: Rollout): RolloutOutcome {
  const conditions = deployment.status?.conditions ?? [];
  return { write: 'rollout', rollout, ...scale(rollout), status: { from: 'conditions', conditions } };
}

/**
 * `isScalingEvent`: whether an active ReplicaSet was last sized for another number of replicas than the Deployment has now.
 *
 * With Recreate, several active ReplicaSets are not a scaling event here. In Kubernetes they are one in every sync, but `scale` changes none of them. So a rolling update is stuck
 * for ever if a user changes its strategy to Recreate and its size. Here `rolloutRecreate` removes the old ReplicaSets, whatever their size. Pure.
 */
export function isScalingEvent(rollout: Rollout): boolean {
  if (!isRollingUpdate(rollout.deployment) && findActiveOrLatest(rollout) === undefined) return false;
  return allReplicaSets(rollout)
    .filter(isActive)
    .some((replicaSet) => {
      const annotated = desiredReplicasAnnotation(replicaSet);
      return annotated !== undefined && annotated !== desiredReplicas(rollout.deployment);
    });
}

/**
 * `scale`, pure: returns the sizes instead of writing them. For a Deployment that was scaled or is paused. The only active ReplicaSet gets all replicas. After a complete
 * rollout the old ones lose theirs. In the middle of a rollout all grow or shrink by their shares, so that the mix of old and new stays and a bad template gets no
 * larger part.
 */
export function scale(rollout: Rollout): Scaling {
  const waitsFor = unobserved(rollout);
  if (waitsFor.length > 0) return { ...NO_SCALING, waitsFor };
  if (allReplicaSets(rollout).length === 0) return NO_SCALING;
  const only = findActiveOrLatest(rollout);
  if (only) return scaleOnly(rollout, only);
  if (isSaturated(rollout)) return scaleDownOld(rollout);
  return isRollingUpdate(rollout.deployment) ? scaleProportionally(rollout) : NO_SCALING;
}

/** `FindActiveOrLatest`: the only active ReplicaSet; if none is active the new one, or else the newest old one; `undefined` if several are active. */
function findActiveOrLatest(rollout: Rollout): ReplicaSet | undefined {
  const active = allReplicaSets(rollout).filter(isActive);
  if (active.length === 0) return rollout.newReplicaSet ?? rollout.oldReplicaSets.at(-1);
  return active.length === 1 ? active[0] : undefined;
}

/**
 * If the ReplicaSet has the right size already, Kubernetes leaves its replica annotations, then takes each later sync for a scaling event and never rolls out a new
 * template. Here the annotations are brought up to date.
 */
function scaleOnly(rollout: Rollout, replicaSet: ReplicaSet): Scaling {
  const replicas = desiredReplicas(rollout.deployment);
  const { name } = replicaSet.metadata;
  if (desiredReplicas(replicaSet) === replicas && (desiredReplicasAnnotation(replicaSet) ?? replicas) === replicas)
    return NO_SCALING;
  const wait = waitForCeiling(rollout, replicaSet, replicas);
  if (wait) return { ...NO_SCALING, waitsFor: [wait] };
  const why = [{ reason: 'onlyReplicaSetToScale', name, replicas }] as const;
  return { resizes: [{ replicaSet, replicas }], why, waitsFor: [] };
}

/** Pods that other ReplicaSets are still to delete count until they are gone. Recreate has no ceiling. */
function waitForCeiling(rollout: Rollout, replicaSet: ReplicaSet, replicas: number): Wait | undefined {
  if (!isRollingUpdate(rollout.deployment) || replicas <= desiredReplicas(replicaSet)) return undefined;
  const others = allReplicaSets(rollout).filter((other) => other !== replicaSet);
  const pods = sumOf(others, possiblePods);
  const ceiling = ceilingOf(rollout.deployment);
  if (pods + replicas <= ceiling.bound) return undefined;
  return { wait: 'otherPodsAtMost', atMost: Math.max(0, ceiling.bound - replicas), pods, ceiling };
}

/** `IsSaturated`: the new ReplicaSet was sized for all replicas, and has them available. */
function isSaturated({ deployment, newReplicaSet }: Rollout): boolean {
  if (!newReplicaSet) return false;
  const desired = desiredReplicas(deployment);
  return (
    desiredReplicas(newReplicaSet) === desired &&
    desiredReplicasAnnotation(newReplicaSet) === desired &&
    availableReplicas(newReplicaSet) === desired
  );
}

/** An old ReplicaSet was adopted, or scaled by hand, after the rollout was complete. */
function scaleDownOld({ oldReplicaSets }: Rollout): Scaling {
  const active = oldReplicaSets.filter(isActive);
  return {
    resizes: active.map((replicaSet) => ({ replicaSet, replicas: 0 })),
    why: [{ reason: 'newReplicaSetSaturated' }],
    waitsFor: [],
  };
}

/**
 * Scales all active ReplicaSets by their shares. The total to reach is replicas and surge (0 for 0 replicas). Each ReplicaSet changes by the factor by which that total
 * changed since it was last sized, rounded. The largest takes what rounding left over. Of equal ones the newest grows first and the oldest shrinks first.
 *
 * Two more rules are ours, since we bound pods: growth waits until no ReplicaSet has more pods than desired, and shrinking keeps enough available pods for the floor.
 */
function scaleProportionally(rollout: Rollout): Scaling {
  const { deployment } = rollout;
  const active = allReplicaSets(rollout).filter(isActive);
  const allowed = desiredReplicas(deployment) > 0 ? resolveFenceposts(deployment).ceiling : 0;
  const total = sumOf(active, desiredReplicas);
  const toAdd = allowed - total;
  const surplus = allReplicaSets(rollout).find((one) => currentReplicas(one) > desiredReplicas(one));
  if (toAdd > 0 && surplus)
    return { ...NO_SCALING, waitsFor: [{ wait: 'surplusDeleted', name: surplus.metadata.name }] };
  const shares = shareOut(deployment, active, toAdd);
  const resizes = toAdd < 0 ? keepFloor(rollout, shares) : shares;
  const sizes = resizes.map(({ replicaSet, replicas }) => ({
    name: replicaSet.metadata.name,
    from: desiredReplicas(replicaSet),
    to: replicas,
  }));
  return { resizes, why: [{ reason: 'scaledByShares', total, allowed, sizes }], waitsFor: [] };
}

/** The sizes after `toAdd` replicas were distributed (or, if it is negative, taken away), in the order in which the ReplicaSets are served. */
function shareOut(deployment: Deployment, active: readonly ReplicaSet[], toAdd: number): readonly Resize[] {
  const ordered = orderFor(active, toAdd);
  let added = 0;
  const shares = ordered.map((replicaSet) => {
    const share = getReplicaSetProportion(deployment, replicaSet, toAdd, added);
    added += share;
    return { replicaSet, replicas: desiredReplicas(replicaSet) + share };
  });
  // The first takes what rounding left over. Kubernetes leaves the rest where it has fewer replicas than are to be taken away; here the next ones lose it.
  return distribute(shares, toAdd - added, ({ replicas }) => (toAdd > added ? Number.POSITIVE_INFINITY : replicas));
}

function orderFor(active: readonly ReplicaSet[], toAdd: number): readonly ReplicaSet[] {
  if (toAdd > 0) return active.toSorted(bySizeNewer);
  return toAdd < 0 ? active.toSorted(bySizeOlder) : active;
}

/**
 * `GetReplicaSetProportion`: never more than is left to add, or to take away. If the annotations are of different times, the fraction of one ReplicaSet can be negative
 * while replicas are added, or positive while they are taken away. Then it keeps its size. Kubernetes changes it, and so exceeds the ceiling or goes below the floor.
 */
function getReplicaSetProportion(deployment: Deployment, replicaSet: ReplicaSet, toAdd: number, added: number): number {
  if (toAdd === 0 || toAdd === added) return 0;
  const fraction = getReplicaSetFraction(deployment, replicaSet);
  const left = toAdd - added;
  return toAdd > 0 ? Math.max(0, Math.min(fraction, left)) : Math.min(0, Math.max(fraction, left));
}

/** `getReplicaSetFraction`: the change of its size in proportion. Without a usable annotation, the Deployment's `status.replicas` counts as the total before. */
function getReplicaSetFraction(deployment: Deployment, replicaSet: ReplicaSet): number {
  const size = desiredReplicas(replicaSet);
  if (desiredReplicas(deployment) === 0) return -size;
  const before = maxReplicasAnnotation(replicaSet) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  return roundHalfAway((size * resolveFenceposts(deployment).ceiling) / before) - size;
}

function roundHalfAway(exact: number): number {
  return Math.sign(exact) * Math.floor(Math.abs(exact) + 0.5);
}

/**
 * Shares are computed from sizes, not from what is available, so they could take the rollout below the floor (or below what is available now, if that is less). In that case
 * ReplicaSets with available pods get replicas back, and as many are taken from replicas that are not available, so that the ceiling holds too. Scaled from 6 to 4 with a
 * surge of 50 % (ceiling 6, floor 4), an old ReplicaSet with 5 available pods and a new one with 4 that never start have shares of 3 and 3: the old one gets 1 back, and the
 * new one loses 1.
 */
function keepFloor(rollout: Rollout, shares: readonly Resize[]): readonly Resize[] {
  const { floor } = resolveFenceposts(rollout.deployment);
  const available = sumOf(
    shares.map(({ replicaSet }) => replicaSet),
    lastingAvailable,
  );
  const kept = shares.reduce((sum, share) => sum + availableOf(share), 0);
  const missing = Math.max(0, Math.min(floor, available) - kept);
  const givenBack = distribute(shares, missing, ({ replicaSet, replicas }) => lastingAvailable(replicaSet) - replicas);
  return distribute(givenBack, -missing, (share) => share.replicas - availableOf(share));
}

/** How many pods of a share are available, if the ReplicaSet deletes the others first. */
function availableOf({ replicaSet, replicas }: Resize): number {
  return Math.min(replicas, lastingAvailable(replicaSet));
}

/** Adds so many replicas to the shares in their order (or takes them away, if `change` is negative), to each no more than it has room for. */
function distribute(shares: readonly Resize[], change: number, roomOf: (share: Resize) => number): readonly Resize[] {
  let left = Math.abs(change);
  return shares.map((share) => {
    const part = Math.max(0, Math.min(left, roomOf(share)));
    left -= part;
    return part > 0 ? { ...share, replicas: share.replicas + Math.sign(change) * part } : share;
  });
}
