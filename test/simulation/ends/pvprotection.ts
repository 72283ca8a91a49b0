import type { PersistentVolume } from 'kubernetes-types/core/v1.js';
import type { Stored } from '../../../lambdas/objects/KubernetesObject.ts';
import { VOLUME_PROTECTION } from '../../../lambdas/objects/storageProtection.ts';
import { nameOf, type World } from '../World.ts';

/** A volume that stays is protected. One that is being deleted is there only while it is bound. */
export function unprotectedVolume(world: World): string | undefined {
  for (const volume of world.all<Stored<PersistentVolume>>('PersistentVolume')) {
    const { finalizers = [], deletionTimestamp } = volume.metadata;
    if (!finalizers.includes(VOLUME_PROTECTION)) return `${nameOf(volume)} is not protected`;
    if (deletionTimestamp !== undefined && volume.status?.phase !== 'Bound')
      return `${nameOf(volume)} is kept, and is not bound`;
  }
  return undefined;
}
