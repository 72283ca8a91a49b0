import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { compileLabelSelector } from '../../objects/labelSelector.ts';
import type { ReplicaOwnerKind } from './ReplicaOwner.ts';

/** Whether the owner's selector matches an object's labels. */
export function selects(kind: ReplicaOwnerKind, owner: KubernetesObject): (object: KubernetesObject) => boolean {
  const selects = compileLabelSelector(kind.selectorOf(owner));
  return ({ metadata }) => selects(metadata.labels);
}
