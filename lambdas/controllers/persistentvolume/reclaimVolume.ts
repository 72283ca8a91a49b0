import type { GuardedRegistry } from '../GuardedWriters.ts';
import type { EventToRecord } from '../EventRecorder.ts';
import type { Volume } from '../scheduler/framework/Volumes.ts';
import { updatePhase, VOLUMES } from './bindPair.ts';
import { isSimulatedVolume, PROVISIONED_BY } from './provisionedVolume.ts';
import type { Reason } from './storageReasons.ts';

/** What is done with a volume whose claim is gone. */
export type Reclaim =
  | { readonly decision: 'keep' }
  /** Its driver, or the provisioner that made it, deletes it. */
  | { readonly decision: 'leave' }
  | { readonly decision: 'delete' }
  | { readonly decision: 'fail'; readonly reason: string; readonly message: string };

/** The only directories of a host that Kubernetes deletes. */
const DELETABLE_PATH = /^\/tmp\/.+/;

/** Decides by the reclaim policy, as Kubernetes' `reclaimVolume` does with the plugins that are left in it. Pure. */
export function decideReclaim(volume: Volume): Reclaim {
  const { name, annotations } = volume.metadata;
  const { persistentVolumeReclaimPolicy: policy, csi, hostPath } = volume.spec ?? {};
  if (policy === 'Recycle')
    return { decision: 'fail', reason: 'VolumeFailedRecycle', message: 'No recycler plugin found for the volume!' };
  if (policy !== 'Delete') return { decision: 'keep' };
  if (isSimulatedVolume(volume)) return { decision: 'delete' };
  if (csi || annotations?.[PROVISIONED_BY] !== undefined) return { decision: 'leave' };
  if (hostPath && DELETABLE_PATH.test(hostPath.path)) return { decision: 'delete' };
  const message = hostPath
    ? `host_path deleter only supports /tmp/.+ but received provided ${hostPath.path}`
    : `error getting deleter volume plugin for volume "${name}": no deletable volume plugin matched`;
  return { decision: 'fail', reason: 'VolumeFailedDelete', message };
}

/** Releases the volume, and does with it what its policy says. */
export async function reclaimVolume(
  registry: GuardedRegistry,
  volume: Volume,
  writes: string[],
  events: EventToRecord[],
): Promise<Reason> {
  const isOver = volume.status?.phase === 'Released' || volume.status?.phase === 'Failed';
  const released = isOver ? volume : await updatePhase(registry, volume, 'Released', writes);
  if (!released) return { reason: 'changedMeanwhile' };
  const reclaim = decideReclaim(released);
  switch (reclaim.decision) {
    case 'keep':
      return { reason: 'volumeIsKept' };
    case 'leave':
      return { reason: 'volumeIsLeftToDriver' };
    case 'delete':
      return await deleteVolume(registry, released, writes);
    case 'fail': {
      const failed = await updatePhase(registry, released, 'Failed', writes, reclaim.message);
      if (!failed) return { reason: 'changedMeanwhile' };
      const { reason, message } = reclaim;
      if (failed !== released) events.push({ regarding: failed, type: 'Warning', reason, message });
      return { reason: 'volumeCannotBeReclaimed', message };
    }
    default:
      return reclaim satisfies never;
  }
}

async function deleteVolume(registry: GuardedRegistry, volume: Volume, writes: string[]): Promise<Reason> {
  const { name, uid, deletionTimestamp } = volume.metadata;
  const { namespace = '', name: claimName = '' } = volume.spec?.claimRef ?? {};
  if (deletionTimestamp === undefined) {
    const outcome = await registry.delete({ resource: VOLUMES, namespace: '', name }, { preconditions: { uid } });
    if (outcome.status === 'refused' && !['Conflict', 'NotFound'].includes(outcome.error.reason)) throw outcome.error;
    writes.push(`delete ${VOLUMES} ${name}`);
  }
  return { reason: 'volumeGoesWithClaim', claim: `${namespace}/${claimName}` };
}
