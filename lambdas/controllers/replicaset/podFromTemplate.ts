import type { NewObject } from '../../objects/KubernetesObject.ts';
import type { PlannedPod } from './plannedPod.ts';
import { controllerRefTo, type ReplicaOwner, type ReplicaOwnerKind, templateOf } from './ReplicaOwner.ts';

/** The pod that the owner's template describes: its labels, annotations, finalizers and spec, owned by the owner. Pure. */
export function podFromTemplate(owner: ReplicaOwner, kind: ReplicaOwnerKind, planned: PlannedPod): NewObject {
  const { metadata = {}, spec } = templateOf(owner);
  const prefix = planned.name.slice(0, -5);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: prefix,
      name: planned.name,
      uid: planned.uid,
      namespace: owner.metadata.namespace ?? '',
      ...(metadata.labels && { labels: metadata.labels }),
      ...(metadata.annotations && { annotations: metadata.annotations }),
      ...(metadata.finalizers && { finalizers: metadata.finalizers }),
      ownerReferences: [controllerRefTo(owner, kind)],
    },
    spec,
  };
}
