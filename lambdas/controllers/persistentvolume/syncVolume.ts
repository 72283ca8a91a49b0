import type { PersistentVolumeClaim } from '../../objects/kinds.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { SyncContext, SyncReport } from '../Controller.ts';
import type { StorageReason } from './StorageReason.ts';
import { reasonInWords } from '../reasonInWords.ts';
import type { Volume } from '../scheduler/framework/Volumes.ts';
import { isSimulatedVolume } from './provisionedVolume.ts';
import { CLAIMS, update, VOLUMES } from './syncClaim.ts';

/** Releases a volume of ours whose claim is gone, and deletes it if its class says so: Kubernetes' `syncVolume` and `reclaimVolume`. */
export async function syncVolume({ name }: WorkKey, { registry }: SyncContext): Promise<SyncReport> {
  const volume = await registry.get<Volume>({ resource: VOLUMES, namespace: '', name });
  if (!volume) return reportOf({ reason: 'isGone' });
  const { namespace = '', name: claimName = '', uid } = volume.spec?.claimRef ?? {};
  const claim = await registry.get<PersistentVolumeClaim>({ resource: CLAIMS, namespace, name: claimName });
  if (!isSimulatedVolume(volume) || claim?.metadata.uid === uid) return reportOf({ reason: 'volumeNeedsNothing' });
  const writes: string[] = [];
  const status = { ...volume.status, phase: 'Released' };
  const isReleased = volume.status?.phase === 'Released';
  const released = isReleased ? volume : await update(registry, VOLUMES, volume, { ...volume, status }, 'status');
  if (!released) return { ...reportOf({ reason: 'changedMeanwhile' }), outcome: { status: 'conflict' } };
  if (!isReleased) writes.push(`status of ${VOLUMES} ${name}`);
  if (volume.spec?.persistentVolumeReclaimPolicy !== 'Delete') return reportOf({ reason: 'volumeIsKept' }, writes);
  if (volume.metadata.deletionTimestamp === undefined) {
    const key = { resource: VOLUMES, namespace: '', name };
    const outcome = await registry.delete(key, { preconditions: { uid: volume.metadata.uid } });
    if (outcome.status === 'refused' && !['Conflict', 'NotFound'].includes(outcome.error.reason)) throw outcome.error;
    writes.push(`delete ${VOLUMES} ${name}`);
  }
  return reportOf({ reason: 'volumeGoesWithClaim', claim: `${namespace}/${claimName}` }, writes);
}

function reportOf(reason: StorageReason, writes: readonly string[] = []): SyncReport {
  return { outcome: { status: 'done' }, why: [reasonInWords(reason)], writes };
}
