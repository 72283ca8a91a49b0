import type { Pod } from '../../objects/kinds.ts';
import type { Intent } from '../../ports/KeyLocks.ts';
import type { Reason } from './replicaSetReasons.ts';
import { getPodsToDelete } from './getPodsToDelete.ts';
import { type PlannedPod, plannedPods } from './plannedPods.ts';
import { desiredReplicas, type ReplicaOwner } from './ReplicaOwner.ts';
import { settleIntent } from './settleIntent.ts';
import type { ReplicasPlan, ReplicasWorld } from './ReplicasPlan.ts';

export interface ReplicasLimits {
  /** How many pods one sync creates or deletes at most. */
  readonly burstReplicas: number;
  /** The id that an intent of this sync gets. */
  readonly intentId: string;
  readonly nowMs: number;
}

const NOTHING = { burns: [], creates: [], deletes: [], inherited: false, lookAgain: false } as const;

/**
 * Decides which pods to create or to delete. Kubernetes' `manageReplicas` also creates and deletes them: here `commitReplicas` does. Where Kubernetes waits until its expectations
 * are fulfilled, an intent that an earlier sync left is settled first, and alone (see `settleIntent`); the next sync decides the rest. Pure.
 */
export function manageReplicas(world: ReplicasWorld, limits: ReplicasLimits): ReplicasPlan {
  const settling = settleIntent(world, limits.nowMs);
  if (settling) return settling;
  const { owner, active } = world;
  if (owner.metadata.deletionTimestamp) return { ...NOTHING, why: [{ reason: 'ownerIsBeingDeleted' }] };
  const desired = desiredReplicas(owner);
  if (active.length < desired) return decideCreates(world, desired, limits);
  if (active.length > desired) return decideDeletes(world, desired, limits);
  return { ...NOTHING, why: [{ reason: 'enoughReplicas', desired }] };
}

/** Whether pods have to be chosen for deletion, so that the related pods must be known. */
export function needsRanking(owner: ReplicaOwner, activeCount: number): boolean {
  const desired = desiredReplicas(owner);
  return owner.metadata.deletionTimestamp === undefined && desired > 0 && activeCount > desired;
}

function decideCreates({ owner, active }: ReplicasWorld, desired: number, limits: ReplicasLimits): ReplicasPlan {
  const missing = desired - active.length;
  const count = Math.min(missing, limits.burstReplicas);
  const asked = { ownerUid: owner.metadata.uid, atMs: limits.nowMs, count, deletes: [] };
  const { record, creates } = intentOfFreeNames(
    limits.intentId,
    (id) => {
      const intent: Intent = { id, ...asked };
      return { record: intent, creates: plannedPods(intent, owner.metadata.name) };
    },
    active,
  );
  const why: Reason = { reason: 'tooFewReplicas', desired, active: active.length, creates: count };
  return { ...NOTHING, record, creates, lookAgain: count < missing, why: [why] };
}

/** Beside 50,000 pods five of six intents of 500 have a name that is taken. */
const MOST_IDS = 20;

/**
 * Returns the first of some intents whose pods have names that no active pod has. A create of a name that is taken makes the sync list all pods again, which takes longer the more there are. If none is free, the store refuses the
 * creates that are not, and the next sync names others.
 */
function intentOfFreeNames<T extends { readonly creates: readonly PlannedPod[] }>(
  id: string,
  intentOf: (id: string) => T,
  active: readonly Pod[],
): T {
  const first = intentOf(id);
  let found = first;
  for (let nth = 1; nth < MOST_IDS; nth += 1) {
    const names = new Set(found.creates.map(({ name }) => name));
    if (!active.some(({ metadata }) => names.has(metadata.name))) return found;
    found = intentOf(`${id}.${nth}`);
  }
  return first;
}

function decideDeletes(
  { owner, active, related }: ReplicasWorld,
  desired: number,
  limits: ReplicasLimits,
): ReplicasPlan {
  const surplus = active.length - desired;
  const count = Math.min(surplus, limits.burstReplicas);
  const minReadySeconds = owner.spec?.minReadySeconds ?? 0;
  const deletes = getPodsToDelete(active, count, { related, minReadySeconds, nowMs: limits.nowMs });
  const record: Intent = { id: limits.intentId, ownerUid: owner.metadata.uid, count: 0, deletes };
  const why: Reason = { reason: 'tooManyReplicas', desired, active: active.length, deletes: count };
  return { ...NOTHING, record, deletes, lookAgain: count < surplus, why: [why] };
}
