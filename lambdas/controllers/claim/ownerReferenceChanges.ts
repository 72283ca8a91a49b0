import type { OwnerReference } from 'kubernetes-types/meta/v1.js';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';

/** The reference by which `owner` controls what it created or adopted: `metav1.NewControllerRef`. Its deletion in the foreground waits for the dependent. */
export function controllerReference(owner: KubernetesObject): OwnerReference {
  const { name, uid } = owner.metadata;
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** A copy of the object with `owner` as its controller. A plain reference to the same owner becomes the controller's, since references are one a UID. */
export function withController<T extends KubernetesObject>(object: T, owner: KubernetesObject): T {
  const others = (object.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid);
  return {
    ...object,
    metadata: { ...object.metadata, ownerReferences: [...others, controllerReference(owner)] },
  };
}

/** A copy of the object without any reference to the owner of that UID. */
export function withoutOwner<T extends KubernetesObject>(object: T, uid: string): T {
  const { ownerReferences, ...metadata } = object.metadata;
  const others = (ownerReferences ?? []).filter((reference) => reference.uid !== uid);
  return { ...object, metadata: { ...metadata, ...(others.length > 0 && { ownerReferences: others }) } };
}
