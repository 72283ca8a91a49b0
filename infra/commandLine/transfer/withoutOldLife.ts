import type { KubernetesObject, NewObject } from '../../../lambdas/objects/KubernetesObject.ts';

/** Metadata that belongs to an object's life on its old control plane. The owners are left out because their UIDs are: controllers adopt the object, or an import sets the new UIDs. */
const OLD_METADATA: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'managedFields',
  'selfLink',
]);

/** True for events. They say what happened to objects of their own control plane, mean nothing elsewhere, and expire within the hour. Pure. */
export function staysBehind({ kind }: { readonly kind: string }): boolean {
  return kind === 'Event';
}

/** Returns the object as `kubectl apply` accepts it. Pure. */
export function withoutOldMetadata({ apiVersion, kind, metadata, ...parts }: KubernetesObject): NewObject {
  const kept = Object.fromEntries(Object.entries(metadata).filter(([field]) => !OLD_METADATA.has(field)));
  return { apiVersion, kind, metadata: kept, ...parts };
}

/** Returns the object as a client creates it on another control plane. Pods are scheduled anew, since the nodes are others. Pure. */
export function withoutOldLife(object: KubernetesObject): NewObject {
  const created = withoutOldMetadata(object);
  if (created.kind !== 'Pod') return created;
  const { nodeName: _, ...spec } = created['spec'] as Readonly<Record<string, unknown>>;
  return { ...created, spec };
}
