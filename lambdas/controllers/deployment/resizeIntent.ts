import type { ReplicaSet } from '../../objects/kinds.ts';
import type { Intent } from '../../ports/KeyLocks.ts';
import type { GuardedObjectStore } from '../guardWrites.ts';
import type { Plan, PlannedWrite } from './Plan.ts';
import { desiredReplicas } from './replicaCounts.ts';

const RESOURCE = 'replicasets.apps';

/** A plan with what must be recorded before its writes begin; no intent where no size changes. */
export interface RecordedPlan {
  readonly plan: Plan;
  readonly intent: Intent | undefined;
}

/**
 * A size is decided from all ReplicaSets together, but its write has only one of them as its condition. Were the worker to stall in the middle of it, it could land
 * after a later holder gave the same pods to another ReplicaSet, and both would have them. So what is about to be resized is recorded first, and a ReplicaSet
 * to be created gets its UID beforehand. Pure.
 */
export function recordResizes(plan: Plan, intentId: string): RecordedPlan {
  const writes = plan.writes.map((write) => withUid(write, intentId));
  const resizes = writes.flatMap(resizeOf);
  const { uid } = plan.deployment.metadata;
  const intent = resizes.length > 0 ? { id: intentId, ownerUid: uid, count: 0, deletes: [], resizes } : undefined;
  return { plan: { ...plan, writes }, intent };
}

/** One plan creates one ReplicaSet at most, so the intent's own id will do. */
function withUid(planned: PlannedWrite, uid: string): PlannedWrite {
  if (planned.write !== 'createReplicaSet') return planned;
  const { replicaSet } = planned;
  return { ...planned, replicaSet: { ...replicaSet, metadata: { ...replicaSet.metadata, uid } } };
}

function resizeOf(planned: PlannedWrite): NonNullable<Intent['resizes']> {
  if (planned.write === 'createReplicaSet') {
    const { name = '', uid = '' } = planned.replicaSet.metadata;
    return [{ name, uid }];
  }
  if (planned.write !== 'updateReplicaSet' || desiredReplicas(planned.from) === desiredReplicas(planned.to)) return [];
  const { name, uid, resourceVersion } = planned.from.metadata;
  return [{ name, uid, resourceVersion }];
}

/**
 * Sees to it that no resize which an earlier sync recorded can land from here on: a ReplicaSet that still has the version from which it was to be resized is written
 * as it is, which gives it another; one that was to be created is burned. To be done before the world is observed: whatever has landed is seen then.
 */
export async function fenceResizes(objectStore: GuardedObjectStore, namespace: string, intent: Intent): Promise<void> {
  await Promise.all((intent.resizes ?? []).map((resize) => fence(objectStore, namespace, resize)));
}

async function fence(
  objectStore: GuardedObjectStore,
  namespace: string,
  { name, uid, resourceVersion }: NonNullable<Intent['resizes']>[number],
): Promise<void> {
  const key = { resource: RESOURCE, namespace, name };
  if (resourceVersion === undefined) {
    await objectStore.burn(key, uid);
    return;
  }
  const current = await objectStore.get<ReplicaSet>(key);
  const mayLand = current?.metadata.uid === uid && current.metadata.resourceVersion === resourceVersion;
  // That it has changed since is as good: the condition of the write that is on its way holds no more.
  if (mayLand) await objectStore.replace(RESOURCE, current);
}
