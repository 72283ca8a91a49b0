import type { PersistentVolumeClaim, Node } from '../../objects/kinds.ts';
import { isSimulatedNode } from '../../objects/simulatedNodes.ts';
import { SIMULATED_PROVISIONER } from '../../objects/simulatedStorage.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { SyncContext, SyncReport } from '../Controller.ts';
import type { EventRecorder, EventToRecord } from '../EventRecorder.ts';
import type { GuardedRegistry, RegistryReader } from '../guardWrites.ts';
import type { StorageReason } from './StorageReason.ts';
import { reasonInWords } from '../reasonInWords.ts';
import { SELECTED_NODE, type StorageClass, type Volume } from '../scheduler/framework/Volumes.ts';
import { boundClaim, boundStatus, isReservedFor, newVolume, volumeNameOf } from './provisionedVolume.ts';

export const CLAIMS = 'persistentvolumeclaims';
export const VOLUMES = 'persistentvolumes';

/** Makes the volume of one claim whose class is ours, and binds the two: Kubernetes' `syncUnboundClaim` and `provisionClaim`, and the provisioner. Each write shows how far it has come, so any sync can go on. */
export async function syncClaim(events: EventRecorder, key: WorkKey, context: SyncContext): Promise<SyncReport> {
  const { registry } = context;
  const { namespace, name } = key;
  const claim = await registry.get<PersistentVolumeClaim>({ resource: CLAIMS, namespace, name });
  if (!claim) return reportOf({ reason: 'isGone' });
  const found = await findClass(registry, claim);
  if (!found.storageClass) {
    if (found.why.reason === 'claimWaitsForConsumer') await events.record([waitingEvent(claim)], registry);
    return reportOf(found.why);
  }
  const writes: string[] = [];
  const bound = await bind(registry, claim, found.storageClass, writes);
  if (bound === 'changed')
    return { ...reportOf({ reason: 'changedMeanwhile' }, writes), outcome: { status: 'conflict' } };
  await events.record([provisionedEvent(claim)], registry);
  return reportOf({ reason: 'claimIsBound', volume: volumeNameOf(claim) }, writes);
}

function reportOf(reason: StorageReason, writes: readonly string[] = []): SyncReport {
  return { outcome: { status: 'done' }, why: [reasonInWords(reason)], writes };
}

type FoundClass =
  | { readonly storageClass: StorageClass }
  | { readonly storageClass?: undefined; readonly why: StorageReason };

/** Returns the class of a claim that is to get a volume now, or why it is not. */
async function findClass(registry: RegistryReader, claim: PersistentVolumeClaim): Promise<FoundClass> {
  const { metadata, spec, status } = claim;
  if (status?.phase === 'Bound' || metadata.deletionTimestamp !== undefined) return without('claimNeedsNothing');
  const name = spec?.storageClassName ?? '';
  const resource = 'storageclasses.storage.k8s.io';
  const found = name === '' ? undefined : await registry.get<StorageClass>({ resource, namespace: '', name });
  const isForeign = (spec?.volumeName ?? volumeNameOf(claim)) !== volumeNameOf(claim);
  if (found?.provisioner !== SIMULATED_PROVISIONER || isForeign) return without('claimIsLeftToOthers');
  if (found.volumeBindingMode !== 'WaitForFirstConsumer') return { storageClass: found };
  const nodeName = metadata.annotations?.[SELECTED_NODE];
  if (nodeName === undefined) return without('claimWaitsForConsumer');
  const node = await registry.get<Node>({ resource: 'nodes', namespace: '', name: nodeName });
  if (!node || !isSimulatedNode(node)) return { why: { reason: 'claimIsOnOtherNode', nodeName } };
  return { storageClass: found };
}

function without(reason: 'claimNeedsNothing' | 'claimIsLeftToOthers' | 'claimWaitsForConsumer'): FoundClass {
  return { why: { reason } };
}

/** The writes in Kubernetes' order: the volume, its phase, the claim, its phase. */
async function bind(
  registry: GuardedRegistry,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  writes: string[],
): Promise<'bound' | 'changed'> {
  const volume = await ensureVolume(registry, claim, storageClass, writes);
  if (!volume) return 'changed';
  const { namespace = '', name } = claim.metadata;
  const bound = boundClaim(claim);
  const stored = bound === claim ? claim : await update(registry, CLAIMS, claim, bound);
  if (!stored) return 'changed';
  if (stored !== claim) writes.push(`bind ${CLAIMS} ${namespace}/${name} to ${volume.metadata.name}`);
  const status = { ...stored.status, ...boundStatus(volume) };
  if (!(await update(registry, CLAIMS, stored, { ...stored, status }, 'status'))) return 'changed';
  writes.push(`status of ${CLAIMS} ${namespace}/${name}`);
  return 'bound';
}

async function ensureVolume(
  registry: GuardedRegistry,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  writes: string[],
): Promise<Volume | undefined> {
  const name = volumeNameOf(claim);
  const created = await registry.create<Volume>(VOLUMES, newVolume(claim, storageClass));
  if (created.status === 'refused' && created.error.reason !== 'AlreadyExists') throw created.error;
  if (created.status === 'stored') writes.push(`create ${VOLUMES} ${name}`);
  const volume =
    created.status === 'stored'
      ? created.object
      : await registry.get<Volume>({ resource: VOLUMES, namespace: '', name });
  if (!volume || !isReservedFor(volume, claim) || volume.metadata.deletionTimestamp !== undefined) return undefined;
  if (volume.status?.phase === 'Bound') return volume;
  const status = { ...volume.status, phase: 'Bound' };
  const bound = await update(registry, VOLUMES, volume, { ...volume, status }, 'status');
  if (bound) writes.push(`status of ${VOLUMES} ${name}`);
  return bound;
}

/** Writes the object as it is to be if it is still as it was read; `undefined` if not. Throws other refusals. */
export async function update<T extends PersistentVolumeClaim | Volume>(
  registry: GuardedRegistry,
  resource: string,
  from: T,
  to: T,
  subresource?: 'status',
): Promise<T | undefined> {
  const outcome = await registry.update<T>(resource, to, { from, ...(subresource && { subresource }) });
  if (outcome.status === 'stored') return outcome.object;
  if (['Conflict', 'NotFound'].includes(outcome.error.reason)) return undefined;
  throw outcome.error;
}

function waitingEvent(regarding: PersistentVolumeClaim): EventToRecord {
  const message = 'waiting for first consumer to be created before binding';
  return { regarding, type: 'Normal', reason: 'WaitForFirstConsumer', message };
}

function provisionedEvent(regarding: PersistentVolumeClaim): EventToRecord {
  const message = `Successfully provisioned volume ${volumeNameOf(regarding)} using ${SIMULATED_PROVISIONER}`;
  return { regarding, type: 'Normal', reason: 'ProvisioningSucceeded', message };
}
