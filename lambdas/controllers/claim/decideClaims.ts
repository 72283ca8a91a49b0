import { controllerOf, type KubernetesObject } from '../../objects/KubernetesObject.ts';

/** An object that claims others: a Deployment claims ReplicaSets, a ReplicaSet, a ReplicationController or a Job claims pods. */
export interface Claimant {
  readonly object: KubernetesObject;
  /** True if the claimant's selector matches this object's labels. */
  matches(candidate: KubernetesObject): boolean;
  /** A finalizer that an object gets when it is adopted, and loses when it is released. */
  readonly finalizer?: string;
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
 *
 * Kubernetes takes its candidates from one list. Here they come from two, of owned objects and of orphans, so an object whose controller changes between the two reads is in both, in two versions. It counts once, by the
 * version that takes a write: that write succeeds only if the object is still so, and otherwise `commitClaims` reads it again.
 */
export function decideClaims<T extends KubernetesObject>(claimant: Claimant, candidates: readonly T[]): Claims<T> {
  const byClaim: Record<Claim, T[]> = { keep: [], adopt: [], release: [], ignore: [] };
  for (const candidate of candidates) byClaim[claimOf(claimant, candidate)].push(candidate);
  const { keep, adopt, release } = byClaim;
  // Of thousands of pods rarely one is an orphan to adopt. Without one, no version leads to another claim than the other.
  return adopt.length === 0 ? { kept: keep, adopt, release } : decideByVersion(claimant, candidates);
}

/** Decides once for each UID. */
function decideByVersion<T extends KubernetesObject>(claimant: Claimant, candidates: readonly T[]): Claims<T> {
  const decided = new Map<string, { readonly candidate: T; readonly claim: Claim }>();
  for (const candidate of candidates) {
    const { uid } = candidate.metadata;
    const claim = claimOf(claimant, candidate);
    const other = decided.get(uid)?.claim;
    if (other === undefined || PRECEDENCE[claim] > PRECEDENCE[other]) decided.set(uid, { candidate, claim });
  }
  const all = [...decided.values()];
  const those = (wanted: Claim) => all.filter(({ claim }) => claim === wanted).map(({ candidate }) => candidate);
  return { kept: those('keep'), adopt: those('adopt'), release: those('release') };
}

type Claim = 'keep' | 'adopt' | 'release' | 'ignore';

/** Which claim counts if two versions of an object lead to different ones: the higher. */
const PRECEDENCE: Readonly<Record<Claim, number>> = { ignore: 0, keep: 1, release: 2, adopt: 2 };

/** Decides about one object. Pure. */
export function claimOf(claimant: Claimant, candidate: KubernetesObject): Claim {
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
