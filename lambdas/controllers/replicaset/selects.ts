import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { matchesLabelSelector } from '../../objects/matchesLabelSelector.ts';
import type { ReplicaOwnerKind } from './ReplicaOwner.ts';

/** Whether the owner's selector matches an object's labels. */
export function selects(kind: ReplicaOwnerKind, owner: KubernetesObject): (object: KubernetesObject) => boolean {
  const selector = kind.selectorOf(owner);
  return ({ metadata }) => matchesLabelSelector(selector, metadata.labels);
}
