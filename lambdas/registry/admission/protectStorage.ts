import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { CLAIM_PROTECTION, VOLUME_PROTECTION } from '../../objects/storageProtection.ts';

const FINALIZERS: Readonly<Record<GroupResource, string>> = {
  persistentvolumeclaims: CLAIM_PROTECTION,
  persistentvolumes: VOLUME_PROTECTION,
};

/** StorageObjectInUseProtection: a new claim or volume cannot go while it is used. Changes the draft. */
export function protectStorage(resource: GroupResource, { metadata }: KubernetesObject): void {
  const finalizer = FINALIZERS[resource];
  if (finalizer === undefined || metadata.finalizers?.includes(finalizer)) return;
  Object.assign(metadata, { finalizers: [...(metadata.finalizers ?? []), finalizer] });
}
