import type { ReplicaSet } from '../../objects/kinds.ts';
import type { Reason, Wait } from '../Reason.ts';
import { rolloutOutcome } from './cleanupDeployment.ts';
import { createNewReplicaSet, type FirstSize } from './getNewReplicaSet.ts';
import type { RolloutOutcome } from './Plan.ts';
import {
  availableReplicas,
  currentReplicas,
  desiredReplicas,
  isActive,
  lastingAvailable,
  possiblePods,
  sumOf,
} from './replicaSets.ts';
import { ceilingOf, floorOf, resolveFenceposts } from './resolveFenceposts.ts';
import {
  allReplicaSets,
  NO_SCALING,
  type Resize,
  type Rollout,
  resized,
  type Scaling,
  unobserved,
  type World,
} from './Rollout.ts';

/** `rolloutRolling`, pure: returns what to write instead of writing it. Creates the new ReplicaSet, or changes sizes between the ceiling and the floor. */
export function rolloutRolling(world: World, rollout: Rollout): RolloutOutcome {
  return rollout.newReplicaSet
    ? rolloutOutcome(world, rollout, reconcileReplicaSets(rollout))
    : createOnceObserved(world, rollout);
}

/**
 * The new ReplicaSet is created when all others have observed their sizes, since only then its own size is known. It could be created with no replicas before, and grow later. But if a user has deleted the
 * ReplicaSet that had this template, and orphaned its pods, the new one adopts these pods: with no replicas it would delete them, available or not.
 */
function createOnceObserved(world: World, rollout: Rollout): RolloutOutcome {
  const waitsFor = unobserved(rollout);
  if (waitsFor.length > 0) return rolloutOutcome(world, rollout, { ...NO_SCALING, waitsFor });
  return createNewReplicaSet(world, rollout, newRSNewReplicas(rollout));
}

/** A rolling update's next sizes: the new ReplicaSet up if there is room below the ceiling, else old ones down to the floor. Pure. */
export function reconcileReplicaSets(rollout: Rollout): Scaling {
  const waitsFor = unobserved(rollout);
  if (waitsFor.length > 0) return { ...NO_SCALING, waitsFor };
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
  const { deployment, newReplicaSet } = rollout;
  if (!newReplicaSet) return NO_SCALING;
  const desired = desiredReplicas(deployment);
  const current = desiredReplicas(newReplicaSet);
  const { name } = newReplicaSet.metadata;
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
export function newRSNewReplicas(rollout: Rollout): FirstSize {
  const { room, why } = roomBelowCeiling(rollout);
  return { replicas: Math.max(0, Math.min(desiredReplicas(rollout.deployment), room)), why: [why] };
}

function roomBelowCeiling(rollout: Rollout): { readonly room: number; readonly why: Reason } {
  const ceiling = ceilingOf(rollout.deployment);
  const pods = sumOf(allReplicaSets(rollout), possiblePods);
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
  const { deployment, newReplicaSet } = rollout;
  const active = rollout.oldReplicaSets.filter(isActive);
  if (active.length === 0) return NO_SCALING;
  const floor = floorOf(deployment);
  const replicas = sumOf(allReplicaSets(rollout), desiredReplicas);
  const newUnavailable = newReplicaSet ? desiredReplicas(newReplicaSet) - lastingAvailable(newReplicaSet) : 0;
  const spare = replicas - floor.bound - newUnavailable;
  const why: Reason = { reason: 'spareAboveFloor', floor, replicas, newUnavailable };
  if (spare <= 0) return { ...NO_SCALING, why: [why], waitsFor: [waitForSpareReplica(rollout, spare)] };
  const cleanUp = cleanupUnhealthyReplicas(active, spare);
  const scaleDown = scaleDownOldReplicaSetsForRollingUpdate(resized(rollout, cleanUp.resizes));
  const resizes = oneOfEach(cleanUp.resizes, scaleDown.resizes);
  return { resizes, why: [why, ...cleanUp.why, ...scaleDown.why], waitsFor: scaleDown.waitsFor };
}

/** One size for each ReplicaSet: if both clean-up and scale-down resize one, the scale-down started from the clean-up's size. */
function oneOfEach(cleanUp: readonly Resize[], scaleDown: readonly Resize[]): readonly Resize[] {
  const resizes = new Map(cleanUp.map((resize) => [resize.replicaSet.metadata.uid, resize]));
  for (const resize of scaleDown) {
    const { uid } = resize.replicaSet.metadata;
    const via = resizes.get(uid)?.replicas;
    resizes.set(uid, via === undefined ? resize : { ...resize, via });
  }
  return [...resizes.values()];
}

/**
 * `cleanupUnhealthyReplicas`: takes from each old ReplicaSet, oldest first, as many replicas as are not available, `atMost` in all. They would hold up the rollout
 * otherwise. A ReplicaSet deletes its unhealthy pods before its healthy ones, so no available pod goes. Pure.
 */
export function cleanupUnhealthyReplicas(oldReplicaSets: readonly ReplicaSet[], atMost: number): Scaling {
  const resizes: Resize[] = [];
  const why: Reason[] = [];
  let left = atMost;
  for (const replicaSet of oldReplicaSets) {
    const replicas = desiredReplicas(replicaSet);
    const unhealthy = replicas - lastingAvailable(replicaSet);
    const removed = Math.min(left, unhealthy);
    if (removed <= 0) continue;
    resizes.push({ replicaSet, replicas: replicas - removed });
    why.push({ reason: 'unhealthyFirst', name: replicaSet.metadata.name, removed, unhealthy });
    left -= removed;
  }
  return { resizes, why, waitsFor: [] };
}

/**
 * `scaleDownOldReplicaSetsForRollingUpdate`: takes from the old ReplicaSets, oldest first, as many replicas as there are available ones above the floor. An available
 * replica that its ReplicaSet is about to delete does not count. Pure.
 */
export function scaleDownOldReplicaSetsForRollingUpdate(rollout: Rollout): Scaling {
  const { floor } = resolveFenceposts(rollout.deployment);
  const available = sumOf(allReplicaSets(rollout), lastingAvailable);
  let left = available - floor;
  const why: readonly Reason[] = [{ reason: 'availableAboveFloor', available, floor }];
  if (left <= 0) return { resizes: [], why, waitsFor: [{ wait: 'availablePods', needed: floor + 1, available }] };
  const resizes: Resize[] = [];
  for (const replicaSet of rollout.oldReplicaSets.filter(isActive)) {
    const replicas = desiredReplicas(replicaSet);
    const removed = Math.min(left, replicas);
    if (removed === 0) break;
    resizes.push({ replicaSet, replicas: replicas - removed });
    left -= removed;
  }
  return { resizes, why, waitsFor: [] };
}

/** What must become available before an old replica may go, where `spare` (0 or less) says that none may go now. Pure. */
export function waitForSpareReplica({ deployment, newReplicaSet }: Rollout, spare: number): Wait {
  const { floor } = resolveFenceposts(deployment);
  const available = newReplicaSet ? lastingAvailable(newReplicaSet) : 0;
  const needed = available + 1 - spare;
  if (!newReplicaSet || needed > desiredReplicas(newReplicaSet)) return { wait: 'moreReplicasThan', floor };
  return { wait: 'newAvailable', name: newReplicaSet.metadata.name, needed, available };
}

/** What is missing to complete a rollout whose ReplicaSets all have their final sizes; nothing if they have not, or if nothing is missing. Pure. */
export function waitsForCompletion({ deployment, newReplicaSet, oldReplicaSets }: Rollout): readonly Wait[] {
  const desired = desiredReplicas(deployment);
  const hasFinalSizes = desiredReplicas(newReplicaSet ?? deployment) === desired && !oldReplicaSets.some(isActive);
  if (!newReplicaSet || !hasFinalSizes) return [];
  const leaving = oldReplicaSets.filter((replicaSet) => currentReplicas(replicaSet) > 0);
  const waits: readonly Wait[] = leaving.map((replicaSet) => ({
    wait: 'oldPodsDeleted',
    name: replicaSet.metadata.name,
    pods: currentReplicas(replicaSet),
  }));
  return availableReplicas(newReplicaSet) >= desired ? waits : [...waits, waitForAll(newReplicaSet, desired)];
}

/** Pods count as available after they have been ready for `minReadySeconds`. */
function waitForAll(newReplicaSet: ReplicaSet, desired: number): Wait {
  const available = availableReplicas(newReplicaSet);
  return {
    wait: 'allNewAvailable',
    name: newReplicaSet.metadata.name,
    desired,
    available,
    readyOnly: (newReplicaSet.status?.readyReplicas ?? 0) - available,
    minReadySeconds: newReplicaSet.spec?.minReadySeconds ?? 0,
  };
}
