import type { PersistentVolumeClaim } from '../../../lambdas/objects/kinds.ts';
import { CLAIM_PROTECTION } from '../../../lambdas/objects/storageProtection.ts';
import { nameOf, type World } from '../World.ts';

/** A claim that stays is protected. One that is being deleted is there only while a pod uses it. */
export function unprotectedClaim(world: World): string | undefined {
  for (const claim of world.all<PersistentVolumeClaim>('PersistentVolumeClaim')) {
    const { finalizers = [], deletionTimestamp } = claim.metadata;
    if (!finalizers.includes(CLAIM_PROTECTION)) return `${nameOf(claim)} is not protected`;
    if (deletionTimestamp !== undefined && !isUsed(world, claim)) return `${nameOf(claim)} is kept, and no pod uses it`;
  }
  return undefined;
}

function isUsed(world: World, { metadata }: PersistentVolumeClaim): boolean {
  const pods = world.pods().filter((pod) => pod.metadata.namespace === metadata.namespace);
  return pods.some(({ spec }) =>
    (spec?.volumes ?? []).some((volume) => volume.persistentVolumeClaim?.claimName === metadata.name),
  );
}
