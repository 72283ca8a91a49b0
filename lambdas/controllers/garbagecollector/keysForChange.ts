import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../objects/ObjectKey.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import { encodeCollectKey } from './collectKey.ts';
import { FOREGROUND_FINALIZER, type ObservedOwner, ORPHAN_FINALIZER, waitsForDependents } from './decideAttempt.ts';
import { keyOf, type OwnerGraph } from './OwnerGraph.ts';

/**
 * The keys that a change gives the garbage collector. Most changes concern it in nothing, so it looks before it queues: an object whose owner is absent,
 * one that is deleted with `orphan` or `foregroundDeletion`, one that is gone and left dependents, and an owner that waits for the one that went.
 */
export async function keysForChange(graph: OwnerGraph, change: Change): Promise<KeyToSend[]> {
  if (change.type === 'DELETED') return keysForDeletion(graph, change.resource, change.before);
  const object = change.after;
  const itself = [{ key: encodeCollectKey(identify(change.resource, object)) }];
  if (startsDependentDeletion(change)) return itself;
  if (!ownersChanged(change)) return [];
  const released = change.before ? await waitingOwners(graph, change.before) : [];
  return (await hasUnwantedOwner(graph, object)) ? [...itself, ...released] : released;
}

function identify(resource: GroupResource, object: KubernetesObject) {
  return { ...keyOf(resource, object), uid: object.metadata.uid };
}

async function keysForDeletion(graph: OwnerGraph, resource: GroupResource, object: KubernetesObject) {
  const { uid, namespace = '' } = object.metadata;
  const [waiting, dependents] = await Promise.all([
    waitingOwners(graph, object),
    graph.dependentsOf({ uid, namespace }, 1),
  ]);
  return dependents.length > 0 ? [...waiting, { key: encodeCollectKey(identify(resource, object)) }] : waiting;
}

/** The owners in whose way this object stood (or no longer stands, once its references changed). */
async function waitingOwners(graph: OwnerGraph, object: KubernetesObject) {
  const owners = await observeOwners(graph, object);
  return owners.flatMap(({ key, owner }) =>
    key && owner && owner !== 'unknown' && waitsForDependents(owner)
      ? [{ key: encodeCollectKey({ ...key, uid: owner.metadata.uid }) }]
      : [],
  );
}

async function hasUnwantedOwner(graph: OwnerGraph, object: KubernetesObject): Promise<boolean> {
  const owners = await observeOwners(graph, object);
  return owners.some(({ owner }) => owner === undefined || (owner !== 'unknown' && waitsForDependents(owner)));
}

type PlacedOwner = ObservedOwner & { readonly key: ObjectKey | undefined };

/** Each owner reference with what the store has for it: see ObservedOwner. */
export function observeOwners(graph: OwnerGraph, object: KubernetesObject): Promise<PlacedOwner[]> {
  return Promise.all(
    (object.metadata.ownerReferences ?? []).map(async (reference): Promise<PlacedOwner> => {
      const key = graph.ownerKey(reference, object.metadata.namespace ?? '');
      if (!key) return { reference, key, owner: 'unknown' };
      const owner = await graph.get(key);
      return { reference, key, owner: owner?.metadata.uid === reference.uid ? owner : undefined };
    }),
  );
}

/** A deletion that this change began, or a finalizer of ours that it added to one. */
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
  return JSON.stringify(owners) !== JSON.stringify(change.before.metadata.ownerReferences ?? []);
}
