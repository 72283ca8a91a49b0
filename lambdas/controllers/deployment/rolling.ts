import { cleanUpUnhealthy } from './cleanUpUnhealthy.ts';
import { ceilingInWords, fencepostsOf, floorInWords } from './fenceposts.ts';
import { desiredReplicas, isActive, lastingAvailable, possiblePods, sumOf } from './replicaCounts.ts';
import { allReplicaSets, NO_STEP, type Resize, type Rollout, resized, type Step } from './Rollout.ts';
import { scaleDownAvailable } from './scaleDownAvailable.ts';
import { unobserved } from './unobserved.ts';
import { untilComplete, untilSpare } from './untilAvailable.ts';

/** A rolling update's next step: the new ReplicaSet up if the ceiling leaves room, else old ones down if the floor does. Pure. */
export function decideRolling(rollout: Rollout): Step {
  const waitsFor = unobserved(rollout);
  if (waitsFor.length > 0) return { ...NO_STEP, waitsFor };
  const up = reconcileNewReplicaSet(rollout);
  if (up.resizes.length > 0) return up;
  const down = reconcileOldReplicaSets(rollout);
  const end = down.resizes.length === 0 ? untilComplete(rollout) : [];
  return {
    resizes: down.resizes,
    why: [...up.why, ...down.why],
    waitsFor: [...up.waitsFor, ...down.waitsFor, ...end],
  };
}

/** `reconcileNewReplicaSet`, with the ceiling counted in pods. */
export function reconcileNewReplicaSet(rollout: Rollout): Step {
  const { deployment, newReplicaSet } = rollout;
  if (!newReplicaSet) return NO_STEP;
  const desired = desiredReplicas(deployment);
  const current = desiredReplicas(newReplicaSet);
  const { name } = newReplicaSet.metadata;
  if (current === desired) return NO_STEP;
  if (current > desired) {
    const why = [`new replica set ${name} has ${current} replicas where ${desired} are wanted`];
    return { resizes: [{ replicaSet: newReplicaSet, replicas: desired }], why, waitsFor: [] };
  }
  const { room, why } = roomBelowCeiling(rollout);
  const replicas = Math.max(current, Math.min(desired, current + room));
  if (replicas > current) return { resizes: [{ replicaSet: newReplicaSet, replicas }], why: [why], waitsFor: [] };
  return { ...NO_STEP, why: [why], waitsFor: [`waits for room to scale up new replica set ${name}`] };
}

/** How many replicas the new ReplicaSet of this rollout starts with: `NewRSNewReplicas`. None while what the others own is not known. Pure. */
export function decideFirstReplicas(rollout: Rollout): { readonly replicas: number; readonly why: readonly string[] } {
  const unseen = unobserved(rollout);
  if (unseen.length > 0) return { replicas: 0, why: ['it starts with 0 replicas', ...unseen] };
  const { room, why } = roomBelowCeiling(rollout);
  return { replicas: Math.max(0, Math.min(desiredReplicas(rollout.deployment), room)), why: [why] };
}

function roomBelowCeiling(rollout: Rollout): { readonly room: number; readonly why: string } {
  const { ceiling } = fencepostsOf(rollout.deployment);
  const pods = sumOf(allReplicaSets(rollout), possiblePods);
  const room = ceiling - pods;
  const allowance = room > 0 ? `${room} may be added` : 'none may be added';
  return { room, why: `${ceilingInWords(rollout.deployment)}; ${ceiling} - ${pods} = ${room}: ${allowance}` };
}

/**
 * `reconcileOldReplicaSets`: takes from old ReplicaSets what the floor can spare, unhealthy replicas first.
 *
 * What it can spare is all replicas, less the floor, less the new ones that are not available yet: these would not replace an available one that goes. Ten
 * replicas, at most 2 unavailable, surge 3: the new ReplicaSet got 5, the old one has 8, so 13 - 8 - 5 = 0 can go, even if one of the 8 fails. Should the new
 * ones crash for ever and the user go back, the 8 are the new ones, of which 1 is unavailable: 13 - 8 - 1 = 4 of the crashing pods can go at once, after
 * which there is room for 10 healthy ones. Should the user roll on to a third template instead, that one starts with 0, and 13 - 8 - 0 = 5 of both old
 * ones can go.
 */
export function reconcileOldReplicaSets(rollout: Rollout): Step {
  const { deployment, newReplicaSet } = rollout;
  const active = rollout.oldReplicaSets.filter(isActive);
  if (active.length === 0) return NO_STEP;
  const { floor } = fencepostsOf(deployment);
  const replicas = sumOf(allReplicaSets(rollout), desiredReplicas);
  const unavailable = newReplicaSet ? desiredReplicas(newReplicaSet) - lastingAvailable(newReplicaSet) : 0;
  const spare = replicas - floor - unavailable;
  const why = `${floorInWords(deployment)}; ${replicas} - ${floor} - ${unavailable} new unavailable = ${spare} old may go`;
  if (spare <= 0) return { ...NO_STEP, why: [why], waitsFor: [untilSpare(rollout, spare)] };
  const cleanUp = cleanUpUnhealthy(active, spare);
  const scaleDown = scaleDownAvailable(resized(rollout, cleanUp.resizes));
  const resizes = lastOfEach([...cleanUp.resizes, ...scaleDown.resizes]);
  return { resizes, why: [why, ...cleanUp.why, ...scaleDown.why], waitsFor: scaleDown.waitsFor };
}

/** One size a ReplicaSet: cleaning up and scaling down may both touch it, the later from where the earlier left it. */
function lastOfEach(resizes: readonly Resize[]): readonly Resize[] {
  return [...new Map(resizes.map((resize) => [resize.replicaSet.metadata.uid, resize])).values()];
}
