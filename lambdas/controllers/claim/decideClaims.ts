import { controllerOf, type KubernetesObject } from '../../objects/KubernetesObject.ts';

/** An object that claims others: a Deployment claims ReplicaSets, a ReplicaSet or a ReplicationController claims pods. */
export interface Claimant {
  readonly object: KubernetesObject;
  /** True if the claimant's selector matches this object's labels. */
  matches(candidate: KubernetesObject): boolean;
}

/** What is to become of the candidates. Those that belong to another controller, and orphans that do not match, are in none of the lists. */
export interface Claims<T extends KubernetesObject> {
  /** Owned already and still matching: nothing to write. */
  readonly kept: readonly T[];
  /** Matching orphans, which get the claimant as their controller. */
  readonly adopt: readonly T[];
  /** Owned, but no longer matching: they lose the claimant as their controller. */
  readonly release: readonly T[];
}

/**
 * Sorts candidates as Kubernetes' `ControllerRefManager.ClaimObject` does; `commitClaims` writes what this decides. Pure.
 *
 * A claimant that is being deleted neither adopts nor releases. It keeps what it owns and still selects, which takes no write. An orphan that is being deleted is not adopted, because it
 * is gone soon. An owned object that is being deleted is kept.
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

/** Decides about one object. Pure. */
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
