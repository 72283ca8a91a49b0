import type { OwnerReference } from 'kubernetes-types/meta/v1.js';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';

export const ORPHAN_FINALIZER = 'orphan';
export const FOREGROUND_FINALIZER = 'foregroundDeletion';

/** How the store sees one owner reference. */
export interface ObservedOwner {
  readonly reference: OwnerReference;
  /** Absent: no such object, or one with another UID. `unknown`: nobody here can tell (see OwnerGraph), so it is taken to exist. */
  readonly owner: KubernetesObject | 'unknown' | undefined;
}

export type Attempt =
  | { readonly action: 'keep'; readonly why: string }
  /** Drop the references to owners that are gone, or that wait for this object to go: another owner still wants it. */
  | { readonly action: 'dropReferences'; readonly uids: readonly string[]; readonly why: string }
  | {
      readonly action: 'delete';
      readonly propagationPolicy: 'Orphan' | 'Background' | 'Foreground';
      /** In a cycle, its own references must stop blocking, or nobody would ever go first. */
      readonly unblockOwners: boolean;
      readonly why: string;
    };

/** True while an object waits for its blocking dependents to go (foreground deletion). */
export function waitsForDependents(object: KubernetesObject): boolean {
  return (
    object.metadata.deletionTimestamp !== undefined &&
    object.metadata.finalizers?.includes(FOREGROUND_FINALIZER) === true
  );
}

/**
 * What becomes of an object for its owners' sake, after Kubernetes' `attemptToDeleteItem`: kept while a solid owner is left, deleted when
 * all are gone, and deleted in the foreground when its owner waits for it and it has dependents itself.
 */
export function decideAttempt(
  object: KubernetesObject,
  owners: readonly ObservedOwner[],
  dependents: readonly KubernetesObject[],
): Attempt {
  if (object.metadata.deletionTimestamp !== undefined) return { action: 'keep', why: 'It is being deleted already.' };
  if (owners.length === 0) return { action: 'keep', why: 'It names no owner.' };
  const dangling = owners.filter(({ owner }) => owner === undefined);
  const waiting = owners.filter(({ owner }) => isWaiting(owner));
  const solid = owners.length - dangling.length - waiting.length;
  if (solid > 0) return decideAmongSolid([...dangling, ...waiting], solid);
  if (waiting.length > 0 && dependents.length > 0) {
    const unblockOwners = dependents.some(waitsForDependents);
    const why = 'Its owner waits for it, and it has dependents of its own: it goes after them.';
    return { action: 'delete', propagationPolicy: 'Foreground', unblockOwners, why };
  }
  const why = waiting.length > 0 ? 'Its owner waits for it to go.' : 'All of its owners are gone.';
  return { action: 'delete', propagationPolicy: policyByFinalizers(object), unblockOwners: false, why };
}

function isWaiting(owner: ObservedOwner['owner']): boolean {
  return owner !== undefined && owner !== 'unknown' && waitsForDependents(owner);
}

function decideAmongSolid(unwanted: readonly ObservedOwner[], solid: number): Attempt {
  if (unwanted.length === 0) return { action: 'keep', why: `It has ${solid} owner(s), and all of them exist.` };
  const why = `${unwanted.length} of its owners are gone or wait for it; ${solid} still want(s) it.`;
  return { action: 'dropReferences', uids: unwanted.map(({ reference }) => reference.uid), why };
}

function policyByFinalizers({ metadata }: KubernetesObject): 'Orphan' | 'Background' | 'Foreground' {
  if (metadata.finalizers?.includes(ORPHAN_FINALIZER)) return 'Orphan';
  if (metadata.finalizers?.includes(FOREGROUND_FINALIZER)) return 'Foreground';
  return 'Background';
}
