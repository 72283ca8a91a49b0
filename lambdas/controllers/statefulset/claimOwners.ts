import type { OwnerReference } from 'kubernetes-types/meta/v1.js';
import { controllerOf } from '../../objects/KubernetesObject.ts';
import type { PersistentVolumeClaim, StatefulSet } from '../../objects/kinds.ts';
import { controllerReference } from '../claim/controllerReference.ts';
import { isInOrdinalRange } from './setState.ts';

/** The pod of a claim. Its UID is empty while it does not exist. */
export interface ClaimUser {
  readonly name: string;
  readonly uid: string;
  readonly ordinal: number;
}

/** What becomes of claims when their set is deleted or scaled down: `persistentVolumeClaimRetentionPolicy`. Pure. */
export function retentionPolicyOf({ spec }: StatefulSet): {
  readonly whenDeleted: string;
  readonly whenScaled: string;
} {
  const policy = spec?.persistentVolumeClaimRetentionPolicy;
  return { whenDeleted: policy?.whenDeleted ?? 'Retain', whenScaled: policy?.whenScaled ?? 'Retain' };
}

/**
 * Returns what owns the claim by the set's policy; `undefined` for what is kept. With `whenDeleted: Delete` the set does. With `whenScaled: Delete` the pod does once it is scaled down, so that the claim goes after it, and the
 * set does no longer. Pure.
 */
function wantedOwner(set: StatefulSet, user: ClaimUser): 'set' | 'pod' | undefined {
  const { whenDeleted, whenScaled } = retentionPolicyOf(set);
  if (whenScaled === 'Delete' && !isInOrdinalRange(set, user.ordinal)) return 'pod';
  return whenDeleted === 'Delete' ? 'set' : undefined;
}

/**
 * True if the claim's owners are as the set's policy wants them: `isClaimOwnerUpToDate`. A claim that belongs to an earlier set or pod of the same name, or to another controller, is left alone, so it counts as right unless the set or
 * the pod owns it beside the other controller. Pure.
 */
export function isClaimOwnerUpToDate(claim: PersistentVolumeClaim, set: StatefulSet, user: ClaimUser): boolean {
  const refs = claim.metadata.ownerReferences ?? [];
  if (refs.some((ref) => isStale(ref, set, user))) return true;
  const ours = { set: refs.find(isOf(set.metadata.uid)), pod: refs.find(isOf(user.uid)) };
  if (hasUnexpectedController(claim, set, user)) return ours.set === undefined && ours.pod === undefined;
  if ([ours.set, ours.pod].some((ref) => ref !== undefined && ref.controller !== true)) return false;
  const wanted = wantedOwner(set, user);
  return (ours.set !== undefined) === (wanted === 'set') && (ours.pod !== undefined) === (wanted === 'pod');
}

/** Returns the owners that the claim is to have: `updateClaimOwnerRefForSetAndPod`. Beside another controller there is neither the set nor the pod. Pure. */
export function claimOwnersFor(claim: PersistentVolumeClaim, set: StatefulSet, user: ClaimUser): OwnerReference[] {
  const others = (claim.metadata.ownerReferences ?? []).filter(
    (ref) => !isReferenceTo(ref, set, user, 'set') && !isReferenceTo(ref, set, user, 'pod'),
  );
  if (hasUnexpectedController(claim, set, user)) return others;
  const owner = ownerFor(set, user);
  return owner ? [...others, owner] : others;
}

/** Returns the owner of a claim that is created now; `undefined` if nothing owns it. Pure. */
export function ownerFor(set: StatefulSet, user: ClaimUser): OwnerReference | undefined {
  const wanted = wantedOwner(set, user);
  if (wanted === undefined) return undefined;
  if (wanted === 'set') return controllerReference(set);
  return { apiVersion: 'v1', kind: 'Pod', name: user.name, uid: user.uid, controller: true, blockOwnerDeletion: true };
}

/** True if a retention policy applies and something else than the set or the pod controls the claim: its policy has no effect. Pure. */
export function hasUnexpectedController(claim: PersistentVolumeClaim, set: StatefulSet, user: ClaimUser): boolean {
  const { whenDeleted, whenScaled } = retentionPolicyOf(set);
  if (whenDeleted === 'Retain' && whenScaled === 'Retain') return false;
  const refs = claim.metadata.ownerReferences ?? [];
  const controller = controllerOf(claim);
  return (
    refs.some((ref) => isStale(ref, set, user)) ||
    (controller !== undefined &&
      !isReferenceTo(controller, set, user, 'set') &&
      !isReferenceTo(controller, set, user, 'pod'))
  );
}

/** True if the claim still belongs to an earlier pod of this name, and so will be deleted. With `whenScaled: Retain` it is used again: `PodClaimIsStale`. Pure. */
export function isStaleForPod(claim: PersistentVolumeClaim, set: StatefulSet, user: ClaimUser): boolean {
  if (retentionPolicyOf(set).whenScaled === 'Retain') return false;
  return (claim.metadata.ownerReferences ?? []).some(
    (ref) => isReferenceTo(ref, set, user, 'pod') && ref.uid !== user.uid,
  );
}

/** By kind and name only, as `matchesRef`. */
function isReferenceTo(ref: OwnerReference, set: StatefulSet, user: ClaimUser, owner: 'set' | 'pod'): boolean {
  return owner === 'set'
    ? ref.apiVersion === 'apps/v1' && ref.kind === 'StatefulSet' && ref.name === set.metadata.name
    : ref.apiVersion === 'v1' && ref.kind === 'Pod' && ref.name === user.name;
}

function isStale(ref: OwnerReference, set: StatefulSet, user: ClaimUser): boolean {
  if (isReferenceTo(ref, set, user, 'set')) return ref.uid !== set.metadata.uid;
  return isReferenceTo(ref, set, user, 'pod') && ref.uid !== user.uid;
}

function isOf(uid: string): (ref: OwnerReference) => boolean {
  return (ref) => ref.uid === uid;
}
