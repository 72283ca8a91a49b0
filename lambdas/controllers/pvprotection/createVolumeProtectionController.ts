import type { PersistentVolume } from 'kubernetes-types/core/v1.js';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { protectionStep, VOLUME_PROTECTION } from '../../objects/storageProtection.ts';
import { subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import { protectionReport, writeProtection } from '../pvcprotection/writeProtection.ts';

const VOLUMES = 'persistentvolumes';

/** Kubernetes' controller that keeps a volume that is being deleted until no claim is bound to it. */
export function createVolumeProtectionController(): Controller<SyncContext> {
  return {
    name: 'pvprotection',
    resources: [VOLUMES],
    watches: [VOLUMES],
    keysFor: (change) => (change.after && needsSync(subjectOf(change)) ? [{ key: keyOf(subjectOf(change)) }] : []),
    keysToResync: (volume) => (needsSync(volume) ? [keyOf(volume)] : []),
    sync: syncVolume,
  };
}

function keyOf({ metadata }: KubernetesObject): WorkKey {
  return { controller: 'pvprotection', namespace: '', name: metadata.name };
}

function needsSync(volume: KubernetesObject): boolean {
  const step = protectionStep(volume, VOLUME_PROTECTION);
  return step === 'protect' || (step === 'release' && !isBound(volume));
}

function isBound({ status }: Stored<PersistentVolume>): boolean {
  return status?.phase === 'Bound';
}

/** Kubernetes' `processPV`. */
async function syncVolume({ name }: WorkKey, { registry }: SyncContext): Promise<SyncReport> {
  const volume = await registry.get<Stored<PersistentVolume>>({ resource: VOLUMES, namespace: '', name });
  if (!volume) return protectionReport({ reason: 'isGone' });
  const step = protectionStep(volume, VOLUME_PROTECTION);
  if (!step) return protectionReport({ reason: 'protectionIsRight' });
  const { claimRef } = volume.spec ?? {};
  const claim = `claim ${claimRef?.namespace ?? ''}/${claimRef?.name ?? ''}`;
  if (step === 'release' && isBound(volume)) return protectionReport({ reason: 'isUsedBy', name: claim });
  return await writeProtection(registry, VOLUMES, volume, VOLUME_PROTECTION, step);
}
