import type { OwnerReference } from 'kubernetes-types/meta/v1.js';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Reason } from './garbageCollectorReasons.ts';

export const ORPHAN_FINALIZER = 'orphan';
export const FOREGROUND_FINALIZER = 'foregroundDeletion';

/** One owner reference, with its owner as it is stored. */
export interface ObservedOwner {
  readonly reference: OwnerReference;
  /** Absent: there is no such object, or it has another UID. `unknown`: nobody here can know (see OwnerGraph), so the owner counts as existing. */
  readonly owner: KubernetesObject | 'unknown' | undefined;
}

export type Attempt =
  | { readonly action: 'keep'; readonly why: Reason }
  /** Drop the references to owners that are gone, or that wait for this object to go: another owner keeps the object. */
  | { readonly action: 'dropReferences'; readonly uids: readonly string[]; readonly why: Reason }
  | {
      readonly action: 'delete';
      readonly propagationPolicy: 'Orphan' | 'Background' | 'Foreground';
      /** In a cycle of owners, the object's own references must stop blocking, or none of the objects could ever go first. */
      readonly unblockOwners: boolean;
      readonly why: Reason;
    };

/** Whether an object waits for its blocking dependents to go (foreground deletion). */
export function waitsForDependents(object: KubernetesObject): boolean {
  return (
    object.metadata.deletionTimestamp !== undefined &&
    object.metadata.finalizers?.includes(FOREGROUND_FINALIZER) === true
  );
}

/**
 * Decides about an object by its owners, as Kubernetes' `attemptToDeleteItem` and `classifyReferences` do: it is kept while a solid owner is left, deleted when all owners are gone, and deleted in
 * the foreground when its owner waits for it and it has dependents itself. Pure.
 */
export function decideAttempt(
  object: KubernetesObject,
  owners: readonly ObservedOwner[],
  dependents: readonly KubernetesObject[],
): Attempt {
  if (object.metadata.deletionTimestamp !== undefined) return { action: 'keep', why: { reason: 'isBeingDeleted' } };
  if (owners.length === 0) return { action: 'keep', why: { reason: 'noOwners' } };
  const dangling = owners.filter(({ owner }) => owner === undefined);
  const waiting = owners.filter(({ owner }) => isWaiting(owner));
  const solid = owners.length - dangling.length - waiting.length;
  if (solid > 0) return decideAmongSolid([...dangling, ...waiting], solid);
  if (waiting.length > 0 && dependents.length > 0) {
    const unblockOwners = dependents.some(waitsForDependents);
    const why: Reason = { reason: 'ownerWaitsAndDependentsGoFirst' };
    return { action: 'delete', propagationPolicy: 'Foreground', unblockOwners, why };
  }
  const why: Reason = { reason: waiting.length > 0 ? 'ownerWaits' : 'ownersAreGone' };
  return { action: 'delete', propagationPolicy: policyByFinalizers(object), unblockOwners: false, why };
}

function isWaiting(owner: ObservedOwner['owner']): boolean {
  return owner !== undefined && owner !== 'unknown' && waitsForDependents(owner);
}

function decideAmongSolid(unwanted: readonly ObservedOwner[], solid: number): Attempt {
  if (unwanted.length === 0) return { action: 'keep', why: { reason: 'ownersExist', solid } };
  const why: Reason = { reason: 'someOwnersUnwanted', unwanted: unwanted.length, solid };
  return { action: 'dropReferences', uids: unwanted.map(({ reference }) => reference.uid), why };
}

function policyByFinalizers({ metadata }: KubernetesObject): 'Orphan' | 'Background' | 'Foreground' {
  if (metadata.finalizers?.includes(ORPHAN_FINALIZER)) return 'Orphan';
  if (metadata.finalizers?.includes(FOREGROUND_FINALIZER)) return 'Foreground';
  return 'Background';
}
