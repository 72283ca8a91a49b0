import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../../objects/ObjectKey.ts';
import type { GuardedRegistry } from '../guardWrites.ts';
import { type Claimant, type Claims, claimOf } from './decideClaims.ts';
import { withController, withoutOwner } from './ownerReferenceChanges.ts';

/** How often a claim is decided afresh because its object changed in between: pods change often while their kubelet reports. */
const ATTEMPTS = 3;

export interface ClaimsToCommit {
  readonly registry: GuardedRegistry;
  readonly claimant: Claimant;
  /** Where the claimant stands: it is read once more before the first adoption. */
  readonly claimantKey: ObjectKey;
  /** The resource of the candidates: `replicasets.apps`, `pods`. */
  readonly resource: GroupResource;
}

export interface CommittedClaims<T> {
  /** What the claimant owns now: kept ones first, then the adopted, as they are stored. */
  readonly claimed: readonly T[];
  /** One phrase a write: `adopt pods default/web-x`. */
  readonly writes: readonly string[];
}

/**
 * Adopts and releases by one conditional write each, in order. An object that changed meanwhile is read and judged again; one that is gone needs nothing.
 *
 * A claim that fails stops no other; all failures are thrown together at the end as an `AggregateError`. Before the first adoption the claimant is read from the
 * store: were it deleted, or deleted and created anew under its name with another UID, then a sync that began earlier would bind orphans to an owner that the
 * garbage collector takes them away with.
 */
export async function commitClaims<T extends KubernetesObject>(
  claims: Claims<T>,
  to: ClaimsToCommit,
): Promise<CommittedClaims<T>> {
  const claimed = [...claims.kept];
  const writes: string[] = [];
  const failures: Error[] = [];
  let whyNot: Promise<string | undefined> | undefined;
  const attempt = async (object: T, claim: 'adopt' | 'release') => {
    try {
      const refusal = claim === 'adopt' ? await (whyNot ??= whyNotAdopt(to)) : undefined;
      if (refusal !== undefined) throw new Error(refusal);
      const stored = await commitClaim(object, to, writes);
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

/** The sentence that forbids adoptions, or `undefined` if the claimant is still there, the same, and not being deleted. */
async function whyNotAdopt({ registry, claimant, claimantKey }: ClaimsToCommit): Promise<string | undefined> {
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

/** The object if the claimant owns it now; `undefined` if it was released, is gone, or has become nobody's business. */
async function commitClaim<T extends KubernetesObject>(
  object: T,
  to: ClaimsToCommit,
  writes: string[],
): Promise<T | undefined> {
  let current = object;
  for (let attempt = 1; ; attempt++) {
    const claim = claimOf(to.claimant, current);
    if (claim === 'ignore') return undefined;
    if (claim === 'keep') return current;
    const changed = claim === 'adopt' ? withController(current, to.claimant.object) : disowned(current, to.claimant);
    const outcome = await to.registry.update<T>(to.resource, changed, { from: current });
    if (outcome.status === 'stored') {
      writes.push(`${claim} ${to.resource} ${placeOf(current)}`);
      return claim === 'adopt' ? outcome.object : undefined;
    }
    if (outcome.error.reason === 'NotFound') return undefined;
    if (outcome.error.reason !== 'Conflict' || attempt === ATTEMPTS) throw outcome.error;
    const fresh = await reread(current, to);
    if (!fresh) return undefined;
    current = fresh;
  }
}

function disowned<T extends KubernetesObject>(object: T, claimant: Claimant): T {
  return withoutOwner(object, claimant.object.metadata.uid);
}

/** The object as it stands, unless it is gone or another one has taken its name. */
async function reread<T extends KubernetesObject>(object: T, to: ClaimsToCommit): Promise<T | undefined> {
  const { namespace, name, uid } = object.metadata;
  const fresh = await to.registry.get<T>({ resource: to.resource, namespace: namespace ?? '', name });
  return fresh?.metadata.uid === uid ? fresh : undefined;
}

function claimFailure(object: KubernetesObject, claim: 'adopt' | 'release', cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new Error(`can't ${claim} ${object.kind} ${placeOf(object)} (${object.metadata.uid}): ${message}`, { cause });
}

function placeOf({ metadata }: KubernetesObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
