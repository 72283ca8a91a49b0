import type { PersistentVolume } from 'kubernetes-types/core/v1.js';
import type { Stored } from '../../../lambdas/objects/KubernetesObject.ts';
import type { PersistentVolumeClaim } from '../../../lambdas/objects/kinds.ts';
import { nameOf, type World } from '../World.ts';

/** Every claim that a pod uses is bound, and it and its volume name each other. No simulated volume is left whose claim is gone. */
export function unboundClaim(world: World): string | undefined {
  for (const claim of world.all<PersistentVolumeClaim>('PersistentVolumeClaim')) {
    const volume = world.get<Stored<PersistentVolume>>('persistentvolumes', '', claim.spec?.volumeName ?? '');
    const isBound = claim.status?.phase === 'Bound' && volume?.spec?.claimRef?.uid === claim.metadata.uid;
    if (!isBound) return `${nameOf(claim)} is ${claim.status?.phase ?? 'nothing'}`;
  }
  const volumes = world.all<Stored<PersistentVolume>>('PersistentVolume');
  const left = volumes.find(
    ({ spec }) => spec?.persistentVolumeReclaimPolicy === 'Delete' && !world.byUid(spec.claimRef?.uid ?? ''),
  );
  return left && `${nameOf(left)} is left, and its claim is gone`;
}
