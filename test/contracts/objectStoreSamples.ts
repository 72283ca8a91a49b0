import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../lambdas/objects/ObjectKey.ts';
import type { ObjectStore } from '../../lambdas/ports/ObjectStore.ts';

export interface SampleOptions {
  readonly namespace?: string;
  readonly uid?: string;
  readonly text?: string;
  readonly ownerReferences?: KubernetesObject['metadata']['ownerReferences'];
}

/** A config map as the registry gives it to a store: complete except for its version. */
export function sample(name: string, options: SampleOptions = {}): KubernetesObject {
  const { namespace = 'default', uid = `uid-of-${name}`, text = 'first', ownerReferences } = options;
  const metadata = { name, namespace, uid, resourceVersion: '', creationTimestamp: '2026-01-01T00:00:00Z' };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...metadata, ...(ownerReferences && { ownerReferences }) },
    data: { text },
  };
}

export function owner(uid: string, controller: boolean) {
  return { apiVersion: 'v1', kind: 'ConfigMap', name: `name-of-${uid}`, uid, controller };
}

export function keyOf(resource: GroupResource, object: KubernetesObject): ObjectKey {
  return { resource, namespace: object.metadata.namespace ?? '', name: object.metadata.name };
}

export function versionOf(object: KubernetesObject): number {
  return Number(object.metadata.resourceVersion);
}

/** Creates the sample; throws if it was not stored. */
export async function stored(store: ObjectStore, resource: GroupResource, object: KubernetesObject) {
  const outcome = await store.create(resource, object);
  if (outcome.status !== 'stored') throw new Error(`${object.metadata.name} was not stored: ${outcome.status}`);
  return outcome.object;
}

/** Replaces the object's text; throws if it was not stored. */
export async function changed(store: ObjectStore, resource: GroupResource, object: KubernetesObject, text: string) {
  const outcome = await store.replace(resource, { ...object, data: { text } });
  if (outcome.status !== 'stored') throw new Error(`${object.metadata.name} was not changed: ${outcome.status}`);
  return outcome.object;
}

/** Removes the object; throws if it did not exist. */
export async function removed(store: ObjectStore, resource: GroupResource, object: KubernetesObject) {
  const outcome = await store.remove(keyOf(resource, object));
  if (outcome.status !== 'removed') throw new Error(`${object.metadata.name} was not removed: ${outcome.status}`);
  return outcome.object;
}
