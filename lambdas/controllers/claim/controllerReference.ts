import type { OwnerReference } from 'kubernetes-types/meta/v1.js';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';

/** Returns the reference by which `owner` controls an object that it created or adopted: `metav1.NewControllerRef`. A foreground deletion of the owner waits for the object. */
export function controllerReference(owner: KubernetesObject): OwnerReference {
  const { name, uid } = owner.metadata;
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** Returns a copy of the object with `owner` as its controller. A plain reference to the same owner is replaced, since there is one reference per UID. */
export function withController<T extends KubernetesObject>(object: T, owner: KubernetesObject): T {
  const others = (object.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid);
  return {
    ...object,
    metadata: { ...object.metadata, ownerReferences: [...others, controllerReference(owner)] },
  };
}

/** Returns a copy of the object without the reference to the owner with that UID. */
export function withoutOwner<T extends KubernetesObject>(object: T, uid: string): T {
  const { ownerReferences, ...metadata } = object.metadata;
  const others = (ownerReferences ?? []).filter((reference) => reference.uid !== uid);
  return { ...object, metadata: { ...metadata, ...(others.length > 0 && { ownerReferences: others }) } };
}
