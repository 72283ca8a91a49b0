import { MAX_REPLICAS } from '../../objects/deploymentAnnotations.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { fencepostsOf } from './fenceposts.ts';
import { currentReplicas, desiredReplicas, isActive, lastingAvailable, sumOf } from './replicaCounts.ts';
import { bySizeThenNewest, bySizeThenOldest } from './replicaSetOrder.ts';
import { parseRevision } from './revisions.ts';
import { allReplicaSets, NO_STEP, type Resize, type Rollout, type Step } from './Rollout.ts';

/**
 * Scales all active ReplicaSets by their shares. The total to reach is replicas and surge (0 for 0 replicas); each changes by the factor by which that total
 * changed since it was last sized, rounded; the largest takes what rounding left over. Of equal ones the newest grows and the oldest shrinks first.
 *
 * Two more things are ours, since we bound pods: growth waits until no ReplicaSet has more pods than it shall have, and what shrinks keeps enough available pods
 * for the floor. Pure.
 */
export function scaleProportionally(rollout: Rollout): Step {
  const { deployment } = rollout;
  const active = allReplicaSets(rollout).filter(isActive);
  const desired = desiredReplicas(deployment);
  const allowed = desired > 0 ? fencepostsOf(deployment).ceiling : 0;
  const total = sumOf(active, desiredReplicas);
  const toAdd = allowed - total;
  if (toAdd > 0) {
    const surplus = allReplicaSets(rollout).find((one) => currentReplicas(one) > desiredReplicas(one));
    if (surplus)
      return { ...NO_STEP, waitsFor: [`waits until ${surplus.metadata.name} has deleted what it has too many`] };
  }
  const shares = shareOut(deployment, active, toAdd);
  const resizes = toAdd < 0 ? keepFloor(rollout, shares) : shares;
  const sizes = resizes.map(
    ({ replicaSet, replicas }) => `${replicaSet.metadata.name} ${desiredReplicas(replicaSet)} -> ${replicas}`,
  );
  const why = `in the middle of a rollout all replica sets are scaled by their shares, ${total} -> ${allowed}: ${sizes.join(', ')}`;
  return { resizes, why: [why], waitsFor: [] };
}

/** The sizes that each gets of `toAdd` more (or, negative, fewer) replicas, in the order in which they are served. Pure. */
export function shareOut(deployment: Deployment, active: readonly ReplicaSet[], toAdd: number): readonly Resize[] {
  const ordered = orderFor(active, toAdd);
  let added = 0;
  const shares = ordered.map((replicaSet) => {
    const share = shareOf(deployment, replicaSet, toAdd, added);
    added += share;
    return { replicaSet, replicas: desiredReplicas(replicaSet) + share };
  });
  const leftover = toAdd - added;
  return shares.map((share, index) =>
    index === 0 ? { ...share, replicas: Math.max(0, share.replicas + leftover) } : share,
  );
}

function orderFor(active: readonly ReplicaSet[], toAdd: number): readonly ReplicaSet[] {
  if (toAdd > 0) return active.toSorted(bySizeThenNewest);
  return toAdd < 0 ? active.toSorted(bySizeThenOldest) : active;
}

/**
 * `GetReplicaSetProportion`: never more than is left to add, or to take. Where annotations of different times would make one shrink while all grow, or grow while
 * all shrink, it stays as it is: Kubernetes lets it, and so passes the ceiling or the floor.
 */
function shareOf(deployment: Deployment, replicaSet: ReplicaSet, toAdd: number, added: number): number {
  if (toAdd === 0 || toAdd === added) return 0;
  const fraction = fractionOf(deployment, replicaSet);
  const left = toAdd - added;
  return toAdd > 0 ? Math.max(0, Math.min(fraction, left)) : Math.min(0, Math.max(fraction, left));
}

/** By how much its size changes in proportion. Without the annotation, or with a useless one, the Deployment's present size is what it had a share of. */
function fractionOf(deployment: Deployment, replicaSet: ReplicaSet): number {
  const size = desiredReplicas(replicaSet);
  if (desiredReplicas(deployment) === 0) return -size;
  const before =
    parseRevision(replicaSet.metadata.annotations?.[MAX_REPLICAS] ?? '') || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  return roundHalfAway((size * fencepostsOf(deployment).ceiling) / before) - size;
}

function roundHalfAway(exact: number): number {
  return Math.sign(exact) * Math.floor(Math.abs(exact) + 0.5);
}

/**
 * Gives back to ReplicaSets with available pods what shares would take below the floor (or, if there are fewer available already, below that): a share looks
 * at sizes, not at what is available. What is then too many goes as the rollout goes on. Pure.
 */
function keepFloor(rollout: Rollout, shares: readonly Resize[]): readonly Resize[] {
  const { floor } = fencepostsOf(rollout.deployment);
  const available = sumOf(
    shares.map(({ replicaSet }) => replicaSet),
    lastingAvailable,
  );
  const kept = shares.reduce(
    (sum, { replicaSet, replicas }) => sum + Math.min(replicas, lastingAvailable(replicaSet)),
    0,
  );
  let missing = Math.min(floor, available) - kept;
  return shares.map((share) => {
    const back = Math.max(0, Math.min(missing, lastingAvailable(share.replicaSet) - share.replicas));
    missing -= back;
    return back > 0 ? { ...share, replicas: share.replicas + back } : share;
  });
}
