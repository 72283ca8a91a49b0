import type { Pod } from '../../objects/kinds.ts';
import { isPodReady } from '../../objects/podState.ts';
import type { Intent } from '../../ports/KeyLocks.ts';
import { type PlannedPod, plannedPods } from './plannedPod.ts';
import { desiredReplicas, type ReplicaOwner } from './ReplicaOwner.ts';
import { rankVictims } from './rankVictims.ts';
import { settleIntent } from './settleIntent.ts';

/** What a sync sees of one owner. */
export interface ReplicasWorld {
  readonly owner: ReplicaOwner;
  /** Its pods that neither ended nor are being deleted. */
  readonly active: readonly Pod[];
  /** Of every pod that was listed, its own and orphans, whatever its state. */
  readonly seenUids: ReadonlySet<string>;
  /** Pods of all replica sets with the same owner; empty where nobody has to be chosen. */
  readonly related: readonly Pod[];
  /** What an earlier sync was about to do and did not clear. */
  readonly intent: Intent | undefined;
}

/** A pod to delete, and the version it must still have: absent where any state of it may go. */
export interface PlannedDelete {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion?: string;
}

export interface ReplicasPlan {
  /** To record before anything else; absent when nothing is created or deleted, or an earlier intent covers it. */
  readonly record?: Intent;
  /** Names of an earlier intent that nobody wants any more: they must never come into being. Before any create. */
  readonly burns: readonly PlannedPod[];
  readonly creates: readonly PlannedPod[];
  readonly deletes: readonly PlannedDelete[];
  /** True when the creates are another holder's: its requests may still land, so what is not created here is burned. */
  readonly inherited: boolean;
  /** True when more is to be decided once this is done. */
  readonly lookAgain: boolean;
  readonly why: readonly string[];
}

export interface ReplicasLimits {
  /** How many pods one sync creates or deletes at most. */
  readonly burstReplicas: number;
  /** The id of the intent, should there be one. */
  readonly intentId: string;
  readonly nowMs: number;
}

const NOTHING = { burns: [], creates: [], deletes: [], inherited: false, lookAgain: false } as const;

/**
 * Which pods to create or to delete, Kubernetes' `manageReplicas`. What an earlier sync left unfinished is settled first, and alone: its names are
 * used, or burned, and its deletes are finished, then the next look decides the rest. Pure.
 */
export function decideReplicas(world: ReplicasWorld, limits: ReplicasLimits): ReplicasPlan {
  const settling = settleIntent(world);
  if (settling) return settling;
  const { owner, active } = world;
  if (owner.metadata.deletionTimestamp) return { ...NOTHING, why: ['It is being deleted: only its status is kept.'] };
  const desired = desiredReplicas(owner);
  const missing = desired - active.length;
  if (missing > 0) return decideCreates(owner, missing, limits, arithmetic(desired, active.length));
  if (missing < 0) return decideDeletes(world, -missing, limits, arithmetic(desired, active.length));
  return { ...NOTHING, why: [`It has the ${desired} pods that it wants.`] };
}

/** Whether pods have to be chosen from for deletion, so that their neighbours must be known. */
export function needsRanking(owner: ReplicaOwner, activeCount: number): boolean {
  const desired = desiredReplicas(owner);
  return owner.metadata.deletionTimestamp === undefined && desired > 0 && activeCount > desired;
}

function arithmetic(desired: number, active: number): string {
  return `It wants ${desired} pods and has ${active}`;
}

function decideCreates(owner: ReplicaOwner, missing: number, limits: ReplicasLimits, sums: string): ReplicasPlan {
  const count = Math.min(missing, limits.burstReplicas);
  const record: Intent = { id: limits.intentId, ownerUid: owner.metadata.uid, count, deletes: [] };
  const creates = plannedPods(record, owner.metadata.name);
  return { ...NOTHING, record, creates, lookAgain: count < missing, why: [`${sums}: create ${count}.`] };
}

function decideDeletes(world: ReplicasWorld, surplus: number, limits: ReplicasLimits, sums: string): ReplicasPlan {
  const count = Math.min(surplus, limits.burstReplicas);
  const { active, owner } = world;
  const deletes = (
    count < active.length ? chooseVictims(world, count, limits.nowMs) : active.map((pod) => ({ pod }))
  ).map(({ pod, ...condition }) => ({ name: pod.metadata.name, uid: pod.metadata.uid, ...condition }));
  const record: Intent = { id: limits.intentId, ownerUid: owner.metadata.uid, count: 0, deletes };
  return { ...NOTHING, record, deletes, lookAgain: count < surplus, why: [`${sums}: delete ${count}.`] };
}

/**
 * A pod that goes because it is not ready must not go if it became ready since: deleting it would then take an available pod where one that is not could go. So
 * its version is the delete's condition. A ready one may go in any state.
 */
function chooseVictims({ active, related }: ReplicasWorld, count: number, nowMs: number) {
  return rankVictims(active, related, nowMs)
    .slice(0, count)
    .map((pod) => (isPodReady(pod) ? { pod } : { pod, resourceVersion: pod.metadata.resourceVersion }));
}
