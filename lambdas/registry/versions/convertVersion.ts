import { copyOf } from '../copyOf.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { type ResourceEntry, type ServedVersion, storageApiVersion } from '../ResourceEntry.ts';

/** `apps/v1`; the core group has no slash. */
export function groupVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Finds a served version of a resource by its apiVersion. */
export function servedVersionOf({ versions, group }: ResourceEntry, apiVersion: string): ServedVersion | undefined {
  return versions.find((one) => groupVersionOf(one.group ?? group, one.version) === apiVersion);
}

/** Converts an object of a built-in resource from one served version to another. Returns a copy. Pure. */
export function convertVersion(
  entry: ResourceEntry,
  object: KubernetesObject,
  from: string,
  to: string,
): KubernetesObject {
  const draft = copyOf(entry, object);
  servedVersionOf(entry, from)?.toStorage?.(draft);
  servedVersionOf(entry, to)?.fromStorage?.(draft);
  return { ...draft, apiVersion: to };
}

/** Shows an object of the storage version in a served one. The result must not be changed: it may be the given object. Pure. */
export function toServed(entry: ResourceEntry, object: KubernetesObject, apiVersion: string): KubernetesObject {
  // The versions of a custom resource differ in their schemas only.
  if (entry.custom) return { ...object, apiVersion };
  const isStored = apiVersion === storageApiVersion(entry) && !servedVersionOf(entry, apiVersion)?.fromStorage;
  return isStored ? object : convertVersion(entry, object, storageApiVersion(entry), apiVersion);
}

/** Makes an object of the storage version of one in a served version, with the defaults of both. Returns a copy. Pure. */
export function fromServed(entry: ResourceEntry, object: KubernetesObject, apiVersion: string): KubernetesObject {
  const draft = copyOf(entry, object);
  const version = servedVersionOf(entry, apiVersion);
  const storage = storageApiVersion(entry);
  if (!entry.custom) {
    version?.applyDefaults?.(draft);
    version?.toStorage?.(draft);
    if (apiVersion !== storage) servedVersionOf(entry, storage)?.applyDefaults?.(draft);
  }
  return { ...draft, apiVersion: storage, kind: entry.kind };
}
