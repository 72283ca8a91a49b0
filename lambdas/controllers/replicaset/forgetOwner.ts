import type { WorkKey } from '../../ports/WorkKey.ts';
import type { SyncContext, SyncReport } from '../Controller.ts';
import { reasonInWords, type SharedReason } from '../sharedReasons.ts';
import { cancelIntent } from './commitReplicas.ts';

/** Ends the sync of an owner of pods that is gone. Its pods are left to the garbage collector. The names of pods whose create may still be under way are burned. */
export async function forgetOwner(key: WorkKey, context: SyncContext): Promise<SyncReport> {
  const why: SharedReason[] = [{ reason: 'ownerIsGone', namespace: key.namespace, name: key.name }];
  if (context.item.intent) {
    await cancelIntent(context.objectStore, key, context.item.intent);
    await context.recordIntent(undefined);
    why.push({ reason: 'plannedPodsBurned' });
  }
  return { outcome: { status: 'done' }, why: why.map(reasonInWords), writes: [] };
}
