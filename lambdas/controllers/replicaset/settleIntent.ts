import type { Pod } from '../../objects/kinds.ts';
import type { Intent } from '../../ports/KeyLocks.ts';
import { LATEST_WRITE_MS } from '../../ports/ObjectStore.ts';
import type { PlannedDelete } from './getPodsToDelete.ts';
import type { ReplicasPlan, ReplicasWorld } from './ReplicasPlan.ts';
import { plannedPods } from './plannedPods.ts';
import { desiredReplicas } from './ReplicaOwner.ts';

/**
 * From this age on, nothing is created by an intent. One of its pods may have been created and removed since, and its tombstone, which refuses a second create, may be dropped at twice this age.
 */
const OLD_INTENT_MS = LATEST_WRITE_MS / 2;

/**
 * Decides what to do about an intent that an earlier sync left. Returns `undefined` if none of its requests can have an effect any more. Pure.
 *
 * Intents replace Kubernetes' expectations (`ControllerExpectations`, `UIDTrackingControllerExpectations`). An expectation is a count or a set of UIDs in the controller's memory: until
 * the informer has shown every create and delete that was requested, or five minutes have passed, `manageReplicas` is not called. Here each sync may run in another process, so
 * the names and UIDs of the pods are made durable before the first request, and the next sync reads them with the key's lock:
 *
 * - `ExpectCreations`, `ExpectDeletions`: the sync records the intent before it writes.
 * - `CreationObserved`, `DeletionObserved`: a strong list shows the pod, or no longer shows it. There is no informer to wait for.
 * - `SatisfiedExpectations`: this function returns `undefined`.
 * - `DeleteExpectations`: `cancelIntent`, when the owner is gone.
 *
 * A create that was requested and not answered may land at any later time, even after the worker that sent it has lost the lock. It never makes a pod too many. If a pod is missing
 * now, this sync creates it under a recorded name and UID, so that both requests make the same pod. Every other recorded name is burned, and from then on the store refuses the create.
 * A recorded delete may land too, so it is carried out. An owner that is being deleted, or that is
 * another object of the same name, cancels the intent: all its names are burned. So does its age, after a long standstill.
 */
export function settleIntent(world: ReplicasWorld, nowMs: number): ReplicasPlan | undefined {
  const { intent, owner } = world;
  if (!intent) return undefined;
  const cancelled = intent.ownerUid !== owner.metadata.uid || owner.metadata.deletionTimestamp !== undefined;
  const isOld = nowMs - (intent.atMs ?? nowMs) > OLD_INTENT_MS;
  const open = plannedPods(intent, owner.metadata.name).filter(({ uid }) => !world.seenUids.has(uid));
  const wanted = cancelled || isOld ? 0 : Math.max(0, desiredReplicas(owner) - world.active.length);
  const deletes = cancelled ? [] : unfinishedDeletes(intent, world.active);
  if (open.length === 0 && deletes.length === 0) return undefined;
  const creates = open.slice(0, wanted);
  const burns = open.slice(wanted);
  const counts = { creates: creates.length, burns: burns.length, deletes: deletes.length };
  return { creates, burns, deletes, inherited: true, lookAgain: true, why: [{ reason: 'intentSettled', ...counts }] };
}

/** Returns the recorded deletes that can still land on these active pods. A pod that has changed since is safe from a delete that named its version. Pure. */
export function unfinishedDeletes(intent: Intent, active: readonly Pod[]): readonly PlannedDelete[] {
  const versions = new Map(active.map(({ metadata }) => [metadata.uid, metadata.resourceVersion]));
  return intent.deletes.filter(({ uid, resourceVersion }) => {
    const current = versions.get(uid);
    return current !== undefined && (resourceVersion === undefined || resourceVersion === current);
  });
}
