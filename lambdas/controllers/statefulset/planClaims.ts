import type { PersistentVolumeClaim, StatefulSet } from '../../objects/kinds.ts';
import {
  type ClaimUser,
  claimOwnersFor,
  hasUnexpectedController,
  isClaimOwnerUpToDate,
  isStaleForPod,
  ownerFor,
} from './claimOwners.ts';
import { claimNames, getPersistentVolumeClaims, type NewClaim } from './volumeClaims.ts';

/** The claims of a namespace by name. */
export type ClaimsByName = ReadonlyMap<string, PersistentVolumeClaim>;

/** What a pod needs of its claims. */
export interface ClaimsPlan {
  readonly creates: readonly NewClaim[];
  /** Claims whose owners must change, as they are to be. */
  readonly updates: readonly { readonly from: PersistentVolumeClaim; readonly to: PersistentVolumeClaim }[];
  /** The name of a claim that is being deleted: the pod cannot be created before it is gone. */
  readonly deleting?: string;
  /** The name of a claim that belongs to an earlier pod of this name, and goes with it. */
  readonly stale?: string;
  /** Names of claims that something else controls, so that the retention policy has no effect. */
  readonly conflicting: readonly string[];
}

/** Returns what a pod's claims lack: those that are missing, and owners by the retention policy. `createsMissing`: whether missing ones are created, as for a pod that is created or pending. Pure. */
export function planClaims(
  set: StatefulSet,
  user: ClaimUser,
  claims: ClaimsByName,
  createsMissing: boolean,
): ClaimsPlan {
  const existing = claimNames(set, user.ordinal).flatMap(({ claim }) => claims.get(claim) ?? []);
  const outdated = existing.filter((claim) => !isClaimOwnerUpToDate(claim, set, user));
  const deleting = existing.find(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const stale = existing.find((claim) => isStaleForPod(claim, set, user));
  return {
    creates: createsMissing ? missingClaims(set, user, claims) : [],
    updates: outdated.map((from) => ({ from, to: withOwners(from, set, user) })),
    ...(createsMissing && deleting && { deleting: deleting.metadata.name }),
    ...(stale && { stale: stale.metadata.name }),
    conflicting: outdated
      .filter((claim) => hasUnexpectedController(claim, set, user))
      .map(({ metadata }) => metadata.name),
  };
}

/** True if nothing is left to do about the claims. Pure. */
export function areClaimsRight({ creates, updates, deleting }: ClaimsPlan): boolean {
  return creates.length === 0 && updates.length === 0 && deleting === undefined;
}

/** A claim is created with its owner, so that a crash cannot leave it without one. Kubernetes adds it afterwards. */
function missingClaims(set: StatefulSet, user: ClaimUser, claims: ClaimsByName): readonly NewClaim[] {
  const owner = ownerFor(set, user);
  return getPersistentVolumeClaims(set, user.ordinal)
    .filter(({ metadata }) => !claims.has(metadata.name))
    .map((claim) => (owner ? { ...claim, metadata: { ...claim.metadata, ownerReferences: [owner] } } : claim));
}

function withOwners(claim: PersistentVolumeClaim, set: StatefulSet, user: ClaimUser): PersistentVolumeClaim {
  const { ownerReferences: _, ...metadata } = claim.metadata;
  const owners = claimOwnersFor(claim, set, user);
  return { ...claim, metadata: { ...metadata, ...(owners.length > 0 && { ownerReferences: owners }) } };
}
