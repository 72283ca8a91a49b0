import type { ObjectMeta as ApiObjectMeta, OwnerReference } from 'kubernetes-types/meta/v1.js';

/** The metadata of a stored object. The fields that every stored object has are not optional. */
export type ObjectMeta = Omit<
  ApiObjectMeta,
  'name' | 'uid' | 'resourceVersion' | 'creationTimestamp' | 'deletionTimestamp'
> & {
  name: string;
  uid: string;
  /** Decimal integer, see ports/ChangeLog.ts. */
  resourceVersion: string;
  /** RFC 3339, whole seconds, UTC: `2026-01-31T12:00:00Z`. */
  creationTimestamp: string;
  deletionTimestamp?: string;
};

/** The metadata of an object that is made for an answer and is not stored: what is not given it does not have, not even its time. */
export function unstoredMetadata(given: Partial<ObjectMeta> & Pick<ObjectMeta, 'name'>): ObjectMeta {
  return given as ObjectMeta;
}

/** Any Kubernetes object as it is stored and answered. Treat it as immutable: stores return frozen objects. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

/** A type of kubernetes-types whose apiVersion, kind and metadata are required, as they are in every stored object. */
export type Stored<T> = Omit<T, 'apiVersion' | 'kind' | 'metadata'> & {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
};

/** An object that a client or a controller asks to create. The server fills in the rest of the metadata. */
export interface NewObject {
  apiVersion: string;
  kind: string;
  metadata: Partial<ObjectMeta>;
  [field: string]: unknown;
}

/** `default/web`; `/node-1` for an object without a namespace. */
export function namespacedName({
  metadata,
}: {
  readonly metadata: { readonly namespace?: string; readonly name: string };
}): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

/** Returns the owner reference with `controller: true`; an object has at most one. */
export function controllerOf(object: { metadata: { ownerReferences?: OwnerReference[] } }): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}
