import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { ServedResource } from './ServedResources.ts';

const converted = new WeakMap<KubernetesObject, Map<ServedResource, KubernetesObject>>();

/**
 * A stored object in the version that was asked for. The same answer for the same stored object, so that many watchers of one change share one
 * conversion; treat it as immutable.
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

/** An object of the served version, its defaults applied, in the shape that is stored. Changes and returns the draft. */
export function toStorageVersion(resource: ServedResource, draft: KubernetesObject): KubernetesObject {
  resource.version.applyDefaults?.(draft);
  resource.version.toStorage?.(draft);
  draft.apiVersion = resource.storageApiVersion;
  draft.kind = resource.entry.kind;
  return draft;
}
