import type { ReplicaSet } from '../../objects/kinds.ts';
import type { Intent } from '../../ports/KeyLocks.ts';
import type { GuardedObjectStore } from '../GuardedWriters.ts';
import type { Plan, PlannedWrite } from './Plan.ts';
import { desiredReplicas } from './replicaSets.ts';

const RESOURCE = 'replicasets.apps';

/** What a Deployment's key remembers: the ReplicaSets to resize from that version or, without one, to create. */
interface ResizeMemory {
  readonly resizes: readonly { readonly name: string; readonly uid: string; readonly resourceVersion?: string }[];
}

/** A plan, and the intent to record before its writes begin; no intent if no size changes. */
export interface RecordedPlan {
  readonly plan: Plan;
  readonly intent: Intent<ResizeMemory> | undefined;
}

/**
 * A size is decided from all ReplicaSets together, but the condition of its write is only one ReplicaSet's version. If the worker stalls during the write, that write could land
 * after a later holder of the lock gave the same replicas to another ReplicaSet, and both would have them. So the resizes are recorded before they begin, and a ReplicaSet to be
 * created gets its UID beforehand. Pure.
 */
export function recordResizes(plan: Plan, intentId: string): RecordedPlan {
  const writes = plan.writes.map((write) => withUid(write, intentId));
  const resizes = writes.flatMap(resizeOf);
  const { uid } = plan.deployment.metadata;
  const intent =
    resizes.length > 0 ? { id: intentId, ownerUid: uid, count: 0, deletes: [], memory: { resizes } } : undefined;
  return { plan: { ...plan, writes }, intent };
}

/** One plan creates at most one ReplicaSet, so the intent's id can be its UID. */
function withUid(planned: PlannedWrite, uid: string): PlannedWrite {
  if (planned.write !== 'createReplicaSet') return planned;
  const { replicaSet } = planned;
  return { ...planned, replicaSet: { ...replicaSet, metadata: { ...replicaSet.metadata, uid } } };
}

function resizeOf(planned: PlannedWrite): ResizeMemory['resizes'] {
  if (planned.write === 'createReplicaSet') {
    const { name = '', uid = '' } = planned.replicaSet.metadata;
    return [{ name, uid }];
  }
  if (planned.write !== 'updateReplicaSet' || desiredReplicas(planned.from) === desiredReplicas(planned.to)) return [];
  const { name, uid, resourceVersion } = planned.from.metadata;
  return [{ name, uid, resourceVersion }];
}

/**
 * Makes sure that no resize that an earlier sync recorded can land from now on. A ReplicaSet that still has the version that the resize starts from is written unchanged, which
 * gives it another version. The name and UID of one that was to be created are burned. This comes before the world is observed, so that every resize that has landed is seen.
 */
export async function fenceResizes(objectStore: GuardedObjectStore, namespace: string, intent: Intent): Promise<void> {
  const { resizes = [] } = (intent.memory ?? {}) as Partial<ResizeMemory>;
  await Promise.all(resizes.map((resize) => fence(objectStore, namespace, resize)));
}

async function fence(
  objectStore: GuardedObjectStore,
  namespace: string,
  { name, uid, resourceVersion }: ResizeMemory['resizes'][number],
): Promise<void> {
  const key = { resource: RESOURCE, namespace, name };
  if (resourceVersion === undefined) {
    await objectStore.burn(key, uid);
    return;
  }
  const current = await objectStore.get<ReplicaSet>(key);
  const mayLand = current?.metadata.uid === uid && current.metadata.resourceVersion === resourceVersion;
  // If it changes before this write, that is as good: the late write's condition no longer holds.
  if (mayLand) await objectStore.replace(RESOURCE, current);
}
