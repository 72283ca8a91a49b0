import type { Intent } from '../../ports/KeyLocks.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { GuardedObjectStore } from '../guardWrites.ts';
import { plannedPods } from './plannedPod.ts';

/**
 * Burns every name of an intent whose owner is gone, so that no create that is still on its way makes a pod that nobody asked for. A pod that is there already is the
 * garbage collector's.
 */
export async function cancelIntent(objectStore: GuardedObjectStore, owner: WorkKey, intent: Intent): Promise<void> {
  const { namespace } = owner;
  await Promise.all(
    plannedPods(intent, owner.name).map(({ name, uid }) =>
      objectStore.burn({ resource: 'pods', namespace, name }, uid),
    ),
  );
}
