import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { ServedResource } from './ServedGroup.ts';

const converted = new WeakMap<KubernetesObject, Map<ServedResource, KubernetesObject>>();

/**
 * Converts a stored object to the version of the request. Returns the same result for the same stored object, so that all watchers of one change share one
 * conversion. The result must not be changed.
 */
export function toServedVersion(resource: ServedResource, object: KubernetesObject): KubernetesObject {
  const { version, apiVersion } = resource;
  const { kind } = resource.entry;
  if (!version.fromStorage && object.apiVersion === apiVersion && object.kind === kind) return object;
  const known = converted.get(object) ?? new Map<ServedResource, KubernetesObject>();
  const before = known.get(resource);
  if (before) return before;
  const served = version.fromStorage ? structuredClone(object) : { ...object };
  version.fromStorage?.(served);
  Object.assign(served, { apiVersion, kind });
  converted.set(object, known.set(resource, served));
  return served;
}

/** Applies defaults to an object of the served version and converts it to the storage version. Changes and returns the draft. */
export function toStorageVersion(resource: ServedResource, draft: KubernetesObject): KubernetesObject {
  resource.version.applyDefaults?.(draft);
  resource.version.toStorage?.(draft);
  draft.apiVersion = resource.storageApiVersion;
  draft.kind = resource.entry.kind;
  return draft;
}
