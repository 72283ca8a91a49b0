import { namespacedName } from '../../objects/KubernetesObject.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { SyncContext, SyncReport } from '../Controller.ts';
import type { EventRecorder, EventToRecord } from '../EventRecorder.ts';
import type { Claim, Volume } from '../scheduler/framework/Volumes.ts';
import { bindPair, CLAIMS, update, updatePhase, VOLUMES } from './bindPair.ts';
import { unboundVolume } from './boundPair.ts';
import { findMatchingVolume } from './findMatchingVolume.ts';
import { PROVISIONED_BY } from './provisionedVolume.ts';
import { reclaimVolume } from './reclaimVolume.ts';
import type { Reason } from './storageReasons.ts';
import { reportOf } from './syncClaim.ts';

/** A sync of one volume, as far as it has come. */
interface VolumeSync {
  readonly registry: SyncContext['registry'];
  readonly volume: Volume;
  readonly writes: string[];
  readonly events: EventToRecord[];
}

/** Says whether one volume is free, bound or released, and finishes what was begun with it: Kubernetes' `syncVolume`. */
export async function syncVolume(
  recorder: EventRecorder,
  { name }: WorkKey,
  { registry }: SyncContext,
): Promise<SyncReport> {
  const volume = await registry.get<Volume>({ resource: VOLUMES, namespace: '', name });
  if (!volume) return reportOf({ reason: 'isGone' });
  const sync: VolumeSync = { registry, volume, writes: [], events: [] };
  const why = await syncByClaim(sync);
  if (sync.events.length > 0) await recorder.record(sync.events, registry);
  return reportOf(why, sync.writes);
}

async function syncByClaim(sync: VolumeSync): Promise<Reason> {
  const { registry, volume, writes, events } = sync;
  const { claimRef } = volume.spec ?? {};
  if (!claimRef) return await free(sync);
  const { namespace = '', name = '', uid = '' } = claimRef;
  const claim = await registry.get<Claim>({ resource: CLAIMS, namespace, name });
  if (uid === '') return claim && isToFinish(volume, claim) ? await bind(sync, claim) : await free(sync);
  if (claim?.metadata.uid !== uid) return await reclaimVolume(registry, volume, writes, events);
  const { volumeName = '' } = claim.spec ?? {};
  if (volumeName === volume.metadata.name || isToFinish(volume, claim)) return await bind(sync, claim);
  return volumeName === '' ? { reason: 'volumeIsBound', claim: `${namespace}/${name}` } : await unbind(sync);
}

/** Whether the volume is reserved for a claim that has none yet, and that it suits. Kubernetes leaves this to the claim's sync, which looks through all volumes. */
function isToFinish(volume: Volume, claim: Claim): boolean {
  const isOpen = !claim.spec?.volumeName && claim.metadata.deletionTimestamp === undefined;
  return isOpen && findMatchingVolume(claim, [volume], { isReservedOnly: true }) !== undefined;
}

async function free({ registry, volume, writes }: VolumeSync): Promise<Reason> {
  const written = await updatePhase(registry, volume, 'Available', writes);
  return { reason: written ? 'volumeIsFree' : 'changedMeanwhile' };
}

async function bind({ registry, volume, writes }: VolumeSync, claim: Claim): Promise<Reason> {
  if ((await bindPair(registry, volume, claim, writes)) === 'changed') return { reason: 'changedMeanwhile' };
  return { reason: 'volumeIsBound', claim: namespacedName(claim) };
}

/** The claim has another volume. One that was made for it is not needed; any other is free again. */
async function unbind(sync: VolumeSync): Promise<Reason> {
  const { registry, volume, writes, events } = sync;
  const isMade = volume.metadata.annotations?.[PROVISIONED_BY] !== undefined;
  if (isMade && volume.spec?.persistentVolumeReclaimPolicy === 'Delete')
    return await reclaimVolume(registry, volume, writes, events);
  const { namespace = '', name = '' } = volume.spec?.claimRef ?? {};
  const unbound = await update(registry, VOLUMES, volume, unboundVolume(volume));
  if (!unbound) return { reason: 'changedMeanwhile' };
  writes.push(`release ${VOLUMES} ${volume.metadata.name}`);
  if (!(await updatePhase(registry, unbound, 'Available', writes))) return { reason: 'changedMeanwhile' };
  return { reason: 'volumeIsUnbound', claim: `${namespace}/${name}` };
}
