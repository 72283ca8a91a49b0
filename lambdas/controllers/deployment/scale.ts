import type { Wait } from './deploymentReasons.ts';
import { type Rollout, rolledOut } from './Rollout.ts';
import { bySizeNewer, bySizeOlder, type SizedReplicaSet } from './SizedReplicaSet.ts';
import { NO_SCALING, type Resize, type RolloutStep, type Scaling } from './Step.ts';

/** Step: a paused Deployment is still scaled, and its history is cleaned up unless a requested rollback may need it or a template is held. It is not rolled out. */
export function scaleWhilePaused(rollout: Rollout): RolloutStep | undefined {
  if (rollout.deployment.spec?.paused !== true) return undefined;
  const step = scaled(rolledOut(rollout));
  return {
    ...step,
    cleanUp: rollout.autoRollback.action !== 'hold' && rollout.rollbackTo === undefined,
    why: [{ reason: 'paused' }, ...step.why],
    waitsFor: [...step.waitsFor, { wait: 'resume' }],
  };
}

/** Step: a Deployment that was scaled gets its new size before it rolls on. */
export function scaleOnEvent(rollout: Rollout): RolloutStep | undefined {
  return isScalingEvent(rollout) ? scaled(rollout) : undefined;
}

/** `sync` of Kubernetes, without its clean-up for paused Deployments: new sizes, and the counts of the status. */
export function scaled(rollout: Rollout): RolloutStep {
  return { write: 'rollout', ...scale(rollout), status: 'counts' };
}

/**
 * `isScalingEvent`: whether an active ReplicaSet was last sized for another number of replicas than the Deployment has now.
 *
 * With Recreate, several active ReplicaSets are not a scaling event here. In Kubernetes they are one in every sync, but `scale` changes none of them. So a rolling update is stuck
 * for ever if a user changes its strategy to Recreate and its size. Here `rolloutRecreate` removes the old ReplicaSets, whatever their size. Pure.
 */
export function isScalingEvent(rollout: Rollout): boolean {
  const { all, desired, isRollingUpdate } = rollout;
  if (!isRollingUpdate && findActiveOrLatest(rollout) === undefined) return false;
  return all.some(({ isActive, sizedFor = desired }) => isActive && sizedFor !== desired);
}

/**
 * `scale`, pure: returns the sizes instead of writing them. For a Deployment that was scaled or is paused. The only active ReplicaSet gets all replicas. After a complete
 * rollout the old ones lose theirs. In the middle of a rollout all grow or shrink by their shares, so that the mix of old and new stays and a bad template gets no
 * larger part.
 */
export function scale(rollout: Rollout): Scaling {
  const { all, unobserved, isRollingUpdate } = rollout;
  if (unobserved.length > 0) return { ...NO_SCALING, waitsFor: unobserved };
  if (all.length === 0) return NO_SCALING;
  const only = findActiveOrLatest(rollout);
  if (only) return scaleOnly(rollout, only);
  if (isSaturated(rollout)) return scaleDownOld(rollout);
  return isRollingUpdate ? scaleProportionally(rollout) : NO_SCALING;
}

/** `FindActiveOrLatest`: the only active ReplicaSet; if none is active the new one, or else the newest old one; `undefined` if several are active. */
function findActiveOrLatest({ all, newReplicaSet, oldReplicaSets }: Rollout): SizedReplicaSet | undefined {
  const active = all.filter(({ isActive }) => isActive);
  if (active.length === 0) return newReplicaSet ?? oldReplicaSets.at(-1);
  return active.length === 1 ? active[0] : undefined;
}

/**
 * If the ReplicaSet has the right size already, Kubernetes leaves its replica annotations, then takes each later sync for a scaling event and never rolls out a new
 * template. Here the annotations are brought up to date.
 */
function scaleOnly(rollout: Rollout, replicaSet: SizedReplicaSet): Scaling {
  const { desired: replicas } = rollout;
  const { name, sizedFor = replicas } = replicaSet;
  if (replicaSet.desired === replicas && sizedFor === replicas) return NO_SCALING;
  const wait = waitForCeiling(rollout, replicaSet);
  if (wait) return { ...NO_SCALING, waitsFor: [wait] };
  return {
    resizes: [{ replicaSet, replicas }],
    why: [{ reason: 'onlyReplicaSetToScale', name, replicas }],
    waitsFor: [],
  };
}

/** Pods that other ReplicaSets are still to delete count until they are gone. Recreate has no ceiling. */
function waitForCeiling({ isRollingUpdate, desired, ceiling, sums }: Rollout, only: SizedReplicaSet): Wait | undefined {
  if (!isRollingUpdate || desired <= only.desired) return undefined;
  const pods = sums.possiblePods - only.possiblePods;
  if (pods + desired <= ceiling.bound) return undefined;
  return { wait: 'otherPodsAtMost', atMost: Math.max(0, ceiling.bound - desired), pods, ceiling };
}

/** `IsSaturated`: the new ReplicaSet was sized for all replicas, and has them available. */
function isSaturated({ desired, newReplicaSet }: Rollout): boolean {
  return (
    newReplicaSet?.desired === desired && newReplicaSet.sizedFor === desired && newReplicaSet.available === desired
  );
}

/** An old ReplicaSet was adopted, or scaled by hand, after the rollout was complete. */
function scaleDownOld({ oldReplicaSets }: Rollout): Scaling {
  const active = oldReplicaSets.filter(({ isActive }) => isActive);
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
  const { all, desired, ceiling, sums } = rollout;
  const allowed = desired > 0 ? ceiling.bound : 0;
  const total = sums.desired;
  const surplus = all.find((one) => one.current > one.desired);
  if (allowed > total && surplus) {
    return { ...NO_SCALING, waitsFor: [{ wait: 'surplusDeleted', name: surplus.name }] };
  }
  const shares = shareOut(rollout, allowed - total);
  const resizes = allowed < total ? keepFloor(rollout, shares) : shares;
  const sizes = resizes.map(({ replicaSet: { name, desired: from }, replicas: to }) => ({ name, from, to }));
  return { resizes, why: [{ reason: 'scaledByShares', total, allowed, sizes }], waitsFor: [] };
}

/** The sizes after `toAdd` replicas were distributed (or, if it is negative, taken away), in the order in which the ReplicaSets are served. */
function shareOut(rollout: Rollout, toAdd: number): readonly Resize[] {
  const active = rollout.all.filter(({ isActive }) => isActive);
  let added = 0;
  const shares = orderFor(active, toAdd).map((replicaSet) => {
    const share = getReplicaSetProportion(rollout, replicaSet, toAdd, added);
    added += share;
    return { replicaSet, replicas: replicaSet.desired + share };
  });
  // The first takes what rounding left over. Kubernetes leaves the rest where it has fewer replicas than are to be taken away; here the next ones lose it.
  return distribute(shares, toAdd - added, ({ replicas }) => (toAdd > added ? Number.POSITIVE_INFINITY : replicas));
}

function orderFor(active: readonly SizedReplicaSet[], toAdd: number): readonly SizedReplicaSet[] {
  if (toAdd > 0) return active.toSorted(bySizeNewer);
  return toAdd < 0 ? active.toSorted(bySizeOlder) : active;
}

/**
 * `GetReplicaSetProportion`: never more than is left to add, or to take away. If the annotations are of different times, the fraction of one ReplicaSet can be negative
 * while replicas are added, or positive while they are taken away. Then it keeps its size. Kubernetes changes it, and so exceeds the ceiling or goes below the floor.
 */
function getReplicaSetProportion(rollout: Rollout, replicaSet: SizedReplicaSet, toAdd: number, added: number): number {
  if (toAdd === 0 || toAdd === added) return 0;
  const fraction = getReplicaSetFraction(rollout, replicaSet);
  const left = toAdd - added;
  return toAdd > 0 ? Math.max(0, Math.min(fraction, left)) : Math.min(0, Math.max(fraction, left));
}

/** `getReplicaSetFraction`: the change of its size in proportion. Without a usable annotation, the Deployment's `status.replicas` counts as the total before. */
function getReplicaSetFraction({ deployment, desired, ceiling }: Rollout, replicaSet: SizedReplicaSet): number {
  const size = replicaSet.desired;
  if (desired === 0) return -size;
  const before = replicaSet.sizedWithin || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  return roundHalfAway((size * ceiling.bound) / before) - size;
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
function keepFloor({ floor, sums }: Rollout, shares: readonly Resize[]): readonly Resize[] {
  const kept = shares.reduce((sum, share) => sum + availableOf(share), 0);
  const missing = Math.max(0, Math.min(floor.bound, sums.lastingAvailable) - kept);
  const givenBack = distribute(shares, missing, ({ replicaSet, replicas }) => replicaSet.lastingAvailable - replicas);
  return distribute(givenBack, -missing, (share) => share.replicas - availableOf(share));
}

/** How many pods of a share are available, if the ReplicaSet deletes the others first. */
function availableOf({ replicaSet, replicas }: Resize): number {
  return Math.min(replicas, replicaSet.lastingAvailable);
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
