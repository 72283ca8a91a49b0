import type { NewObject } from '../../objects/KubernetesObject.ts';
import { controllerReference } from '../claim/ownerReferenceChanges.ts';
import { type PlannedPod, SUFFIX_LENGTH } from './plannedPod.ts';
import { type ReplicaOwner, templateOf } from './ReplicaOwner.ts';

/** The pod that the owner's template describes: its labels, annotations, finalizers and spec, owned by the owner. Pure. */
export function podFromTemplate(owner: ReplicaOwner, planned: PlannedPod): NewObject {
  const { metadata = {}, spec } = templateOf(owner);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: planned.name.slice(0, -SUFFIX_LENGTH),
      name: planned.name,
      uid: planned.uid,
      namespace: owner.metadata.namespace ?? '',
      ...(metadata.labels && { labels: metadata.labels }),
      ...(metadata.annotations && { annotations: metadata.annotations }),
      ...(metadata.finalizers && { finalizers: metadata.finalizers }),
      ownerReferences: [controllerReference(owner)],
    },
    spec,
  };
}
