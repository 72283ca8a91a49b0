import { type KubernetesObject, namespacedName } from '../../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../objects/ObjectKey.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import { type Claimant, type Claims, claimOf } from './decideClaims.ts';
import { withController, withoutOwner } from './controllerReference.ts';
import { withFinalizer, withoutFinalizer } from './finalizers.ts';

/** How often a claim is decided again because its object changed in between. Pods change often while their kubelet reports. */
const ATTEMPTS = 3;

export interface ClaimsToCommit {
  readonly registry: GuardedRegistry;
  readonly claimant: Claimant;
  /** The claimant's key: it is read again before the first adoption. */
  readonly claimantKey: ObjectKey;
  /** The resource of the candidates: `replicasets.apps`, `pods`. */
  readonly resource: GroupResource;
}

export interface CommittedClaims<T> {
  /** What the claimant owns now, as it is stored: first the kept objects, then the adopted ones. */
  readonly claimed: readonly T[];
  /** One phrase a write: `adopt pods default/web-x`. */
  readonly writes: readonly string[];
}

/**
 * Adopts and releases objects, each by one conditional write, in order. An object that changed meanwhile is read and judged again. An object that is gone needs nothing.
 *
 * A claim that fails stops no other claim. All failures are thrown together at the end as an `AggregateError`. Before the first adoption the claimant is read again: if it has been deleted
 * since, perhaps also created again with another UID, the garbage collector would delete the adopted orphans with it.
 */
export async function commitClaims<T extends KubernetesObject>(
  claims: Claims<T>,
  to: ClaimsToCommit,
): Promise<CommittedClaims<T>> {
  const claimed = [...claims.kept];
  const writes: string[] = [];
  const failures: Error[] = [];
  let refusalOfAdoptions: Promise<string | undefined> | undefined;
  const mayAdopt = async () => {
    const refusal = await (refusalOfAdoptions ??= recheckDeletionTimestamp(to));
    if (refusal !== undefined) throw new Error(refusal);
  };
  const attempt = async (object: T, claim: 'adopt' | 'release') => {
    try {
      const stored = await commitClaim(object, to, mayAdopt, writes);
      if (stored) claimed.push(stored);
    } catch (cause) {
      failures.push(claimFailure(object, claim, cause));
    }
  };
  for (const object of claims.release) await attempt(object, 'release');
  for (const object of claims.adopt) await attempt(object, 'adopt');
  if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));
  return { claimed, writes };
}

/** Returns why nothing may be adopted, or `undefined` if the claimant still exists with the same UID and is not being deleted. Kubernetes' `RecheckDeletionTimestamp` and `canAdopt`. */
async function recheckDeletionTimestamp({
  registry,
  claimant,
  claimantKey,
}: ClaimsToCommit): Promise<string | undefined> {
  const { kind, metadata } = claimant.object;
  const place = `${metadata.namespace ?? ''}/${metadata.name}`;
  const fresh = await registry.get(claimantKey);
  if (!fresh) return `original ${kind} ${place} is gone`;
  if (fresh.metadata.uid !== metadata.uid) {
    return `original ${kind} ${place} is gone: got uid ${fresh.metadata.uid}, wanted ${metadata.uid}`;
  }
  const deletedAt = fresh.metadata.deletionTimestamp;
  return deletedAt === undefined ? undefined : `${place} has just been deleted at ${deletedAt}`;
}

/**
 * Returns the object if the claimant owns it now, or `undefined` if it was released, is gone, or is no longer the claimant's concern. `mayAdopt` throws if nothing may be adopted; it is asked before each adoption, since an
 * object that was to be released may be an orphan to adopt when it is read again.
 */
async function commitClaim<T extends KubernetesObject>(
  object: T,
  to: ClaimsToCommit,
  mayAdopt: () => Promise<void>,
  writes: string[],
): Promise<T | undefined> {
  let current = object;
  for (let attempt = 1; ; attempt++) {
    const claim = claimOf(to.claimant, current);
    if (claim === 'ignore') return undefined;
    if (claim === 'keep') return current;
    if (claim === 'adopt') await mayAdopt();
    const changed = claim === 'adopt' ? adopted(current, to.claimant) : disowned(current, to.claimant);
    const outcome = await to.registry.update<T>(to.resource, changed, { from: current });
    if (outcome.status === 'stored') {
      writes.push(`${claim} ${to.resource} ${namespacedName(current)}`);
      return claim === 'adopt' ? outcome.object : undefined;
    }
    if (outcome.error.reason === 'NotFound') return undefined;
    if (outcome.error.reason !== 'Conflict' || attempt === ATTEMPTS) throw outcome.error;
    const fresh = await reread(current, to);
    if (!fresh) return undefined;
    current = fresh;
  }
}

function adopted<T extends KubernetesObject>(object: T, { object: owner, finalizer }: Claimant): T {
  const owned = withController(object, owner);
  return finalizer === undefined ? owned : withFinalizer(owned, finalizer);
}

function disowned<T extends KubernetesObject>(object: T, { object: owner, finalizer }: Claimant): T {
  const orphan = withoutOwner(object, owner.metadata.uid);
  return finalizer === undefined ? orphan : withoutFinalizer(orphan, finalizer);
}

/** Returns the object as it is stored now, or `undefined` if it is gone or another object has its name. */
async function reread<T extends KubernetesObject>(object: T, to: ClaimsToCommit): Promise<T | undefined> {
  const { namespace, name, uid } = object.metadata;
  const fresh = await to.registry.get<T>({ resource: to.resource, namespace: namespace ?? '', name });
  return fresh?.metadata.uid === uid ? fresh : undefined;
}

function claimFailure(object: KubernetesObject, claim: 'adopt' | 'release', cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new Error(`can't ${claim} ${object.kind} ${namespacedName(object)} (${object.metadata.uid}): ${message}`, {
    cause,
  });
}
