import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../objects/ObjectKey.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER, waitsForDependents } from './decideAttempt.ts';
import { keyOf, type OwnerGraph } from './OwnerGraph.ts';

/** An object by key and UID: another object of the same name is not meant. */
export interface ObjectIdentity extends ObjectKey {
  readonly uid: string;
}

/** Returns the garbage collector's key for an object: `garbagecollector:default/pods/web-1/UID`. */
export function encodeCollectKey({ resource, namespace, name, uid }: ObjectIdentity): WorkKey {
  return { controller: 'garbagecollector', namespace, name: `${resource}/${name}/${uid}` };
}

/** Returns the object that a key means, or `undefined` for a key that the collector did not make. */
export function parseCollectKey(key: WorkKey): ObjectIdentity | undefined {
  const [resource, name, uid, ...rest] = key.name.split('/');
  if (!resource || !name || !uid || rest.length > 0) return undefined;
  return { resource, namespace: key.namespace, name, uid };
}

/**
 * Returns the keys that a change gives the garbage collector, as Kubernetes' `processGraphChanges` does. Most changes do not concern it, so it reads before it queues. It queues: an object with an
 * absent owner, an object that is deleted with the finalizer `orphan` or `foregroundDeletion`, an object that is gone and left dependents, and an owner that waits for the object that
 * is gone.
 */
export function keysForChange(graph: OwnerGraph, change: Change): readonly KeyToSend[] | Promise<readonly KeyToSend[]> {
  if (change.type === 'DELETED') return keysForDeletion(graph, change.resource, change.before);
  if (startsDependentDeletion(change)) return [{ key: encodeCollectKey(identify(change.resource, change.after)) }];
  return ownersChanged(change) ? keysForChangedOwners(graph, change) : [];
}

async function keysForChangedOwners(
  graph: OwnerGraph,
  change: Exclude<Change, { type: 'DELETED' }>,
): Promise<readonly KeyToSend[]> {
  const object = change.after;
  const itself = [{ key: encodeCollectKey(identify(change.resource, object)) }];
  const released = change.before ? await waitingOwners(graph, change.before) : [];
  return (await hasUnwantedOwner(graph, object)) ? [...itself, ...released] : released;
}

function identify(resource: GroupResource, object: KubernetesObject) {
  return { ...keyOf(resource, object), uid: object.metadata.uid };
}

async function keysForDeletion(graph: OwnerGraph, resource: GroupResource, object: KubernetesObject) {
  const identity = identify(resource, object);
  const [waiting, dependents] = await Promise.all([waitingOwners(graph, object), graph.dependentsOf(identity, 1)]);
  return dependents.length > 0 ? [...waiting, { key: encodeCollectKey(identity) }] : waiting;
}

/** Returns the keys of the owners that wait for this object to go. */
async function waitingOwners(graph: OwnerGraph, object: KubernetesObject) {
  const owners = await graph.ownersOf(object);
  return owners.flatMap(({ key, owner }) =>
    key && owner && owner !== 'unknown' && waitsForDependents(owner)
      ? [{ key: encodeCollectKey({ ...key, uid: owner.metadata.uid }) }]
      : [],
  );
}

async function hasUnwantedOwner(graph: OwnerGraph, object: KubernetesObject): Promise<boolean> {
  const owners = await graph.ownersOf(object);
  return owners.some(({ owner }) => owner === undefined || (owner !== 'unknown' && waitsForDependents(owner)));
}

/** Whether this change began a deletion with one of the collector's finalizers, or added such a finalizer to a deletion. */
function startsDependentDeletion(change: Change): boolean {
  const { metadata } = subjectOf(change);
  const ours = (metadata.finalizers ?? []).filter((name) => name === ORPHAN_FINALIZER || name === FOREGROUND_FINALIZER);
  if (metadata.deletionTimestamp === undefined || ours.length === 0) return false;
  const before = change.before?.metadata;
  return before?.deletionTimestamp === undefined || ours.some((name) => !before.finalizers?.includes(name));
}

function ownersChanged(change: Change): boolean {
  const owners = subjectOf(change).metadata.ownerReferences ?? [];
  if (!change.before) return owners.length > 0;
  return !jsonEqual(owners, change.before.metadata.ownerReferences);
}
