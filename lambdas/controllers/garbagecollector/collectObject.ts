import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { WriteRefusedError } from '../GuardedWriters.ts';
import type { Reason } from './garbageCollectorReasons.ts';
import {
  attemptToDeleteItem,
  type CollectDeps,
  type Collected,
  collectedFrom,
  withMetadata,
} from './attemptToDeleteItem.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER, waitsForDependents } from './decideAttempt.ts';
import type { ObjectIdentity } from './keysForChange.ts';
import type { Dependent } from './OwnerGraph.ts';

// Kubernetes' collector has as many workers.
const CONCURRENT_ATTEMPTS = 20;

/**
 * Collects around one object: its dependents if the object is gone or is being deleted, the object itself if its owners are gone. Kubernetes has two queues for this, `attemptToDelete` and
 * `attemptToOrphan`. Here the object's state says which of them is meant.
 */
export async function collectObject(deps: CollectDeps, identity: ObjectIdentity): Promise<Collected> {
  const object = await deps.graph.get(identity);
  if (object?.metadata.uid !== identity.uid) return collectDependents(deps, identity);
  const item = { key: identity, object };
  if (object.metadata.deletionTimestamp === undefined) return attemptToDeleteItem(deps, item);
  if (object.metadata.finalizers?.includes(ORPHAN_FINALIZER)) return attemptToOrphan(deps, item);
  if (waitsForDependents(object)) return processDeletingDependentsItem(deps, item);
  return { status: 'settled', why: [{ reason: 'deletionIsNotOurs' }], writes: [] };
}

/** The owner is gone: each of its dependents is deleted, unless another owner keeps it. */
async function collectDependents(deps: CollectDeps, owner: ObjectIdentity): Promise<Collected> {
  const dependents = await deps.graph.dependentsOf(owner);
  const collected = await each(deps, dependents, (dependent) => attemptToDeleteItem(deps, dependent));
  const why: Reason = { reason: 'goneWithDependents', dependents: dependents.length };
  return { ...collected, why: [why, ...collected.why.slice(0, 3)] };
}

/** Removes the reference to this owner from all its dependents, then the owner's `orphan` finalizer: Kubernetes' `attemptToOrphanWorker` and `orphanDependents`. */
async function attemptToOrphan(deps: CollectDeps, owner: Dependent): Promise<Collected> {
  const { uid } = owner.object.metadata;
  const dependents = await deps.graph.dependentsOf({ ...owner.key, uid });
  const orphaned = await each(deps, dependents, async ({ key, object }) => {
    const ownerReferences = (object.metadata.ownerReferences ?? []).filter((reference) => reference.uid !== uid);
    const changed = withMetadata(object, { ownerReferences });
    const outcome = await deps.registry.update(key.resource, changed, { from: object });
    return collectedFrom(outcome, { reason: 'orphanedByOwner' }, `orphan ${key.resource} ${key.namespace}/${key.name}`);
  });
  return orphaned.status === 'settled' ? removeFinalizer(deps, owner, ORPHAN_FINALIZER, orphaned) : orphaned;
}

/** Foreground deletion: all dependents are deleted, and the owner's finalizer is removed when no dependent blocks its deletion any more. */
async function processDeletingDependentsItem(deps: CollectDeps, owner: Dependent): Promise<Collected> {
  const { uid } = owner.object.metadata;
  const dependents = await deps.graph.dependentsOf({ ...owner.key, uid });
  const blocking = dependents.filter(({ object }) => blocks(object, uid));
  if (blocking.length === 0) {
    const why: Reason[] = [{ reason: 'noBlockingDependents' }];
    return removeFinalizer(deps, owner, FOREGROUND_FINALIZER, { status: 'settled', why, writes: [] });
  }
  const remaining = dependents.filter(({ object }) => object.metadata.deletionTimestamp === undefined);
  const collected = await each(deps, remaining, (dependent) => attemptToDeleteItem(deps, dependent));
  const why: Reason = { reason: 'waitsForDependents', blocking: blocking.length };
  return { ...collected, why: [why, ...collected.why.slice(0, 3)] };
}

function blocks(dependent: KubernetesObject, ownerUid: string): boolean {
  return (
    dependent.metadata.ownerReferences?.some((owner) => owner.uid === ownerUid && owner.blockOwnerDeletion === true) ===
    true
  );
}

async function removeFinalizer(
  { registry }: CollectDeps,
  { key, object }: Dependent,
  finalizer: string,
  soFar: Collected,
): Promise<Collected> {
  const finalizers = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
  const outcome = await registry.update(key.resource, withMetadata(object, { finalizers }), { from: object });
  const place = `${key.resource} ${key.namespace}/${key.name}`;
  const removed = collectedFrom(
    outcome,
    { reason: 'finalizerDone', finalizer },
    `drop finalizer ${finalizer} of ${place}`,
  );
  return { status: removed.status, why: [...soFar.why, ...removed.why], writes: [...soFar.writes, ...removed.writes] };
}

/** Calls `act` for each dependent, some at a time, until the sync may write no longer. */
async function each(
  { mayGoOn }: CollectDeps,
  dependents: readonly Dependent[],
  act: (dependent: Dependent) => Promise<Collected>,
): Promise<Collected> {
  // The workers share one iterator. To take the first of a long list out of it would move all others.
  const waiting = dependents.values();
  const results: Collected[] = [];
  const worker = async () => {
    for (const next of waiting) {
      if (!mayGoOn()) return;
      try {
        results.push(await act(next));
      } catch (error) {
        // The deadline passed while this dependent was read: it is left for the next sync.
        if (!(error instanceof WriteRefusedError)) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENT_ATTEMPTS, dependents.length) }, worker));
  const conflicted = results.some(({ status }) => status === 'conflict');
  const status = results.length < dependents.length ? 'outOfTime' : conflicted ? 'conflict' : 'settled';
  return { status, why: results.flatMap(({ why }) => why), writes: results.flatMap(({ writes }) => writes) };
}
