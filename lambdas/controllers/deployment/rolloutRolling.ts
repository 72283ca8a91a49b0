import type { Reason, Wait } from './deploymentReasons.ts';
import type { Rollout } from './Rollout.ts';
import type { SizedReplicaSet } from './SizedReplicaSet.ts';
import { resized } from './Sizes.ts';
import { NO_SCALING, type Resize, type Scaling } from './Step.ts';

/**
 * `rolloutRolling`, pure: returns what to write instead of writing it. Creates the new ReplicaSet, or makes it larger if there is room below the ceiling, or else makes old ones smaller, down to the floor.
 *
 * The new ReplicaSet is created when all others have observed their sizes, since only then its own size is known. It could be created with no replicas before, and grow later. But if a user has deleted the
 * ReplicaSet that had this template, and orphaned its pods, the new one adopts these pods: with no replicas it would delete them, available or not.
 */
export function rolloutRolling(rollout: Rollout): Scaling {
  if (rollout.unobserved.length > 0) return { ...NO_SCALING, waitsFor: rollout.unobserved };
  if (!rollout.newReplicaSet) return newRSNewReplicas(rollout);
  const up = reconcileNewReplicaSet(rollout);
  if (up.resizes.length > 0) return up;
  const down = reconcileOldReplicaSets(rollout);
  const end = down.resizes.length === 0 ? waitsForCompletion(rollout) : [];
  return {
    resizes: down.resizes,
    why: [...up.why, ...down.why],
    waitsFor: [...up.waitsFor, ...down.waitsFor, ...end],
  };
}

/** `reconcileNewReplicaSet`, but the ceiling bounds pods, not the sum of sizes. Pure. */
export function reconcileNewReplicaSet(rollout: Rollout): Scaling {
  const { desired, newReplicaSet } = rollout;
  if (!newReplicaSet) return NO_SCALING;
  const { name, desired: current } = newReplicaSet;
  if (current === desired) return NO_SCALING;
  if (current > desired) {
    const why: Reason = { reason: 'newReplicaSetTooLarge', name, replicas: current, desired };
    return { resizes: [{ replicaSet: newReplicaSet, replicas: desired }], why: [why], waitsFor: [] };
  }
  const { room, why } = roomBelowCeiling(rollout);
  const replicas = Math.max(current, Math.min(desired, current + room));
  if (replicas > current) return { resizes: [{ replicaSet: newReplicaSet, replicas }], why: [why], waitsFor: [] };
  return { ...NO_SCALING, why: [why], waitsFor: [{ wait: 'roomForNewReplicaSet', name }] };
}

/** `NewRSNewReplicas`: with how many replicas the new ReplicaSet is created, once all others have observed their sizes. Pure. */
export function newRSNewReplicas(rollout: Rollout): Scaling {
  const { room, why } = roomBelowCeiling(rollout);
  return { ...NO_SCALING, create: Math.max(0, Math.min(rollout.desired, room)), why: [why] };
}

function roomBelowCeiling({ ceiling, sums }: Rollout): { readonly room: number; readonly why: Reason } {
  const pods = sums.possiblePods;
  return { room: ceiling.bound - pods, why: { reason: 'roomBelowCeiling', ceiling, pods } };
}

/**
 * `reconcileOldReplicaSets`: takes away old replicas above the floor, unhealthy ones first. Pure.
 *
 * How many may go: all replicas, minus the floor, minus the new ones that are not available yet, since those cannot replace an available one. Ten replicas, at most 2
 * unavailable, surge 3: the new ReplicaSet got 5, the old one has 8, so 13 - 8 - 5 = 0 can go, even if one of the 8 fails. If the new ones keep crashing and the user
 * goes back, the 8 are the new ones, of which 1 is unavailable: 13 - 8 - 1 = 4 of the crashing pods can go at once, and then there is room for 10 healthy ones. If
 * the user rolls on to a third template, that one starts with 0, and 13 - 8 - 0 = 5 of both old ones can go.
 */
export function reconcileOldReplicaSets(rollout: Rollout): Scaling {
  const { newReplicaSet, floor, sums } = rollout;
  const active = rollout.oldReplicaSets.filter(({ isActive }) => isActive);
  if (active.length === 0) return NO_SCALING;
  const newUnavailable = newReplicaSet ? newReplicaSet.desired - newReplicaSet.lastingAvailable : 0;
  const spare = sums.desired - floor.bound - newUnavailable;
  const why: Reason = { reason: 'spareAboveFloor', floor, replicas: sums.desired, newUnavailable };
  if (spare <= 0) return { ...NO_SCALING, why: [why], waitsFor: [waitForSpareReplica(rollout, spare)] };
  const cleanUp = cleanupUnhealthyReplicas(active, spare);
  const scaleDown = scaleDownOldReplicaSetsForRollingUpdate({ ...rollout, ...resized(rollout, cleanUp.resizes) });
  const resizes = oneOfEach(cleanUp.resizes, scaleDown.resizes);
  return { resizes, why: [why, ...cleanUp.why, ...scaleDown.why], waitsFor: scaleDown.waitsFor };
}

/** One size for each ReplicaSet: if both clean-up and scale-down resize one, the scale-down started from the clean-up's size. */
function oneOfEach(cleanUp: readonly Resize[], scaleDown: readonly Resize[]): readonly Resize[] {
  const resizes = new Map(cleanUp.map((resize) => [resize.replicaSet.uid, resize]));
  for (const resize of scaleDown) {
    const { uid } = resize.replicaSet;
    const first = resizes.get(uid);
    resizes.set(uid, first ? { ...first, via: first.replicas, replicas: resize.replicas } : resize);
  }
  return [...resizes.values()];
}

/**
 * `cleanupUnhealthyReplicas`: takes from each old ReplicaSet, oldest first, as many replicas as are not available, `atMost` in all. They would hold up the rollout
 * otherwise. A ReplicaSet deletes its unhealthy pods before its healthy ones, so no available pod goes. Pure.
 */
export function cleanupUnhealthyReplicas(oldReplicaSets: readonly SizedReplicaSet[], atMost: number): Scaling {
  const resizes: Resize[] = [];
  const why: Reason[] = [];
  let left = atMost;
  for (const replicaSet of oldReplicaSets) {
    const { name, desired, lastingAvailable } = replicaSet;
    const unhealthy = desired - lastingAvailable;
    const removed = Math.min(left, unhealthy);
    if (removed <= 0) continue;
    resizes.push({ replicaSet, replicas: desired - removed });
    why.push({ reason: 'unhealthyFirst', name, removed, unhealthy });
    left -= removed;
  }
  return { resizes, why, waitsFor: [] };
}

/**
 * `scaleDownOldReplicaSetsForRollingUpdate`: takes from the old ReplicaSets, oldest first, as many replicas as there are available ones above the floor. An available
 * replica that its ReplicaSet is about to delete does not count. Pure.
 */
export function scaleDownOldReplicaSetsForRollingUpdate({ oldReplicaSets, floor, sums }: Rollout): Scaling {
  const available = sums.lastingAvailable;
  let left = available - floor.bound;
  const why: readonly Reason[] = [{ reason: 'availableAboveFloor', available, floor: floor.bound }];
  if (left <= 0) return { resizes: [], why, waitsFor: [{ wait: 'availablePods', needed: floor.bound + 1, available }] };
  const resizes: Resize[] = [];
  for (const replicaSet of oldReplicaSets.filter(({ isActive }) => isActive)) {
    const removed = Math.min(left, replicaSet.desired);
    if (removed === 0) break;
    resizes.push({ replicaSet, replicas: replicaSet.desired - removed });
    left -= removed;
  }
  return { resizes, why, waitsFor: [] };
}

/** What must become available before an old replica may go, where `spare` (0 or less) says that none may go now. Pure. */
export function waitForSpareReplica({ newReplicaSet, floor }: Rollout, spare: number): Wait {
  const available = newReplicaSet?.lastingAvailable ?? 0;
  const needed = available + 1 - spare;
  if (!newReplicaSet || needed > newReplicaSet.desired) return { wait: 'moreReplicasThan', floor: floor.bound };
  return { wait: 'newAvailable', name: newReplicaSet.name, needed, available };
}

/** What is missing to complete a rollout whose ReplicaSets all have their final sizes; nothing if they have not, or if nothing is missing. Pure. */
export function waitsForCompletion({ desired, newReplicaSet, oldReplicaSets }: Rollout): readonly Wait[] {
  if (newReplicaSet?.desired !== desired || oldReplicaSets.some(({ isActive }) => isActive)) return [];
  const leaving = oldReplicaSets.filter(({ current }) => current > 0);
  const waits: readonly Wait[] = leaving.map(({ name, current }) => ({ wait: 'oldPodsDeleted', name, pods: current }));
  return newReplicaSet.available >= desired ? waits : [...waits, waitForAll(newReplicaSet, desired)];
}

/** Pods count as available after they have been ready for `minReadySeconds`. */
function waitForAll({ name, ready, available, object }: SizedReplicaSet, desired: number): Wait {
  const minReadySeconds = object.spec?.minReadySeconds ?? 0;
  return { wait: 'allNewAvailable', name, desired, available, readyOnly: ready - available, minReadySeconds };
}
