import { controllerOf, type KubernetesObject } from '../../objects/KubernetesObject.ts';

/** A controller object that claims others: a Deployment its ReplicaSets, a ReplicaSet or ReplicationController its pods. */
export interface Claimant {
  readonly object: KubernetesObject;
  /** True if the claimant's selector matches this object's labels. */
  matches(candidate: KubernetesObject): boolean;
}

/** What becomes of the candidates; who belongs to someone else, or to nobody and shall stay so, is in none of the three. */
export interface Claims<T extends KubernetesObject> {
  /** Owned already and still matching: nothing to write. */
  readonly kept: readonly T[];
  /** Matching orphans, to be given the claimant as their controller. */
  readonly adopt: readonly T[];
  /** Owned, but no longer matching: to be let go. */
  readonly release: readonly T[];
}

/**
 * Sorts candidates as Kubernetes' `ControllerRefManager.ClaimObject` does. Pure.
 *
 * A claimant that is being deleted neither adopts nor releases, but keeps what it owns and still selects: that takes no write. An orphan that is being deleted is
 * left alone, since it would be gone before the adoption meant anything; one that is owned and being deleted is kept.
 */
export function decideClaims<T extends KubernetesObject>(claimant: Claimant, candidates: readonly T[]): Claims<T> {
  const kept: T[] = [];
  const adopt: T[] = [];
  const release: T[] = [];
  for (const candidate of candidates) {
    const claim = claimOf(claimant, candidate);
    if (claim === 'keep') kept.push(candidate);
    if (claim === 'adopt') adopt.push(candidate);
    if (claim === 'release') release.push(candidate);
  }
  return { kept, adopt, release };
}

/** What the claimant is to do about one object as it stands now. Pure. */
export function claimOf(claimant: Claimant, candidate: KubernetesObject): 'keep' | 'adopt' | 'release' | 'ignore' {
  const { metadata } = claimant.object;
  const deleting = metadata.deletionTimestamp !== undefined;
  const controller = controllerOf(candidate);
  if (controller) {
    if (controller.uid !== metadata.uid) return 'ignore';
    if (claimant.matches(candidate)) return 'keep';
    return deleting ? 'ignore' : 'release';
  }
  if (deleting || candidate.metadata.deletionTimestamp !== undefined) return 'ignore';
  if (metadata.namespace !== candidate.metadata.namespace) return 'ignore';
  return claimant.matches(candidate) ? 'adopt' : 'ignore';
}
