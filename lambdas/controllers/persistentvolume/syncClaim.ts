import type { WorkKey } from '../../ports/WorkKey.ts';
import type { SyncContext, SyncReport } from '../Controller.ts';
import type { EventRecorder, EventToRecord } from '../EventRecorder.ts';
import { type Reason, reasonInWords } from './storageReasons.ts';
import {
  BIND_COMPLETED,
  type Claim,
  SELECTED_NODE,
  type StorageClass,
  type Volume,
} from '../scheduler/framework/Volumes.ts';
import { bindPair, CLAIMS, updateClaimStatus, VOLUMES } from './bindPair.ts';
import { claimEvents } from './claimEvents.ts';
import { classOf, findMatchingVolume, isVolumeBoundToClaim, volumeMismatch } from './findMatchingVolume.ts';
import { provisionClaim } from './provisionClaim.ts';
import { isSimulatedClass } from './provisionedVolume.ts';
import type { ClaimSync } from './ClaimSync.ts';

/** Binds one claim to a volume, or finds that it has lost its volume: Kubernetes' `syncClaim`. */
export async function syncClaim(events: EventRecorder, key: WorkKey, { registry }: SyncContext): Promise<SyncReport> {
  const { namespace, name } = key;
  const claim = await registry.get<Claim>({ resource: CLAIMS, namespace, name });
  if (!claim) return reportOf({ reason: 'isGone' });
  if (claim.metadata.deletionTimestamp !== undefined) return reportOf({ reason: 'claimNeedsNothing' });
  const sync: ClaimSync = { registry, claim, writes: [], events: [] };
  const why = await syncByState(sync);
  if (sync.events.length > 0) await events.record(sync.events, registry);
  return reportOf(why, sync.writes);
}

/** Says in words what a sync of a claim or a volume has come to. A change in between makes it begin again. */
export function reportOf(why: Reason, writes: readonly string[] = []): SyncReport {
  const status = why.reason === 'changedMeanwhile' ? 'conflict' : 'done';
  return { outcome: { status }, why: [reasonInWords(why)], writes };
}

async function syncByState(sync: ClaimSync): Promise<Reason> {
  const { claim, registry } = sync;
  const { volumeName = '' } = claim.spec ?? {};
  const isCompleted = claim.metadata.annotations?.[BIND_COMPLETED] !== undefined;
  if (volumeName === '') return isCompleted ? await lose(sync, claimEvents.lostReference) : await syncUnbound(sync);
  const volume = await registry.get<Volume>({ resource: VOLUMES, namespace: '', name: volumeName });
  return isCompleted ? await syncBound(sync, volume) : await syncNamed(sync, volume);
}

/** A claim that may have any volume: one that exists, or one that is made for it. */
async function syncUnbound(sync: ClaimSync): Promise<Reason> {
  const { claim, registry, events } = sync;
  const className = classOf(claim);
  const resource = 'storageclasses.storage.k8s.io';
  const storageClass =
    className === '' ? undefined : await registry.get<StorageClass>({ resource, namespace: '', name: className });
  const waits = storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
  const volume = await findVolume(sync, storageClass, waits);
  if (volume) return await bind(sync, volume);
  if (waits && claim.metadata.annotations?.[SELECTED_NODE] === undefined) {
    events.push(claimEvents.waitsForConsumer(claim));
    return { reason: 'claimWaitsForConsumer' };
  }
  if (storageClass) return await provisionClaim(sync, storageClass);
  events.push(className === '' ? claimEvents.noClass(claim) : claimEvents.unknownClass(claim, className));
  return { reason: 'claimFindsNoVolume' };
}

/** For a claim that waits for its consumer the scheduler looks among the free volumes. If its class is simulated, only the scheduler looks, so that such a claim costs no list of all volumes. */
async function findVolume(
  { claim, registry }: ClaimSync,
  storageClass: StorageClass | undefined,
  waits: boolean,
): Promise<Volume | undefined> {
  if (waits && isSimulatedClass(storageClass)) return undefined;
  const { items } = await registry.list<Volume>(VOLUMES);
  return findMatchingVolume(claim, items, { isReservedOnly: waits });
}

/** A claim that names a volume, and does not have it yet. */
async function syncNamed(sync: ClaimSync, volume: Volume | undefined): Promise<Reason> {
  const { claim, events } = sync;
  const waits: Reason = { reason: 'claimWaitsForVolume', volume: claim.spec?.volumeName ?? '' };
  if (!volume) return waits;
  if (volume.spec?.claimRef && !isVolumeBoundToClaim(volume, claim)) {
    events.push(claimEvents.volumeOfOther(claim, volume.metadata.name));
    return waits;
  }
  const mismatch = volume.spec?.claimRef ? undefined : volumeMismatch(volume, claim);
  if (mismatch === undefined) return await bind(sync, volume);
  events.push(claimEvents.mismatch(claim, volume.metadata.name, mismatch));
  return waits;
}

/** A claim that had its volume before. */
async function syncBound(sync: ClaimSync, volume: Volume | undefined): Promise<Reason> {
  if (!volume) return await lose(sync, claimEvents.lostVolume);
  const { claimRef } = volume.spec ?? {};
  const isOthers = claimRef !== undefined && claimRef.uid !== sync.claim.metadata.uid;
  return isOthers ? await lose(sync, claimEvents.misbound) : await bind(sync, volume);
}

async function bind({ registry, claim, writes }: ClaimSync, volume: Volume): Promise<Reason> {
  const outcome = await bindPair(registry, volume, claim, writes);
  if (outcome === 'changed') return { reason: 'changedMeanwhile' };
  return { reason: 'claimIsBound', volume: volume.metadata.name };
}

async function lose(
  { registry, claim, writes, events }: ClaimSync,
  event: (claim: Claim) => EventToRecord,
): Promise<Reason> {
  if (claim.status?.phase === 'Lost') return { reason: 'claimIsLost' };
  const { accessModes: _modes, capacity: _capacity, ...status } = claim.status ?? {};
  const written = await updateClaimStatus(registry, claim, { ...status, phase: 'Lost' }, writes);
  if (!written) return { reason: 'changedMeanwhile' };
  events.push(event(written));
  return { reason: 'claimIsLost' };
}
