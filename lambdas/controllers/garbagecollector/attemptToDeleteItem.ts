import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { DeleteOutcome, WriteOutcome } from '../../registry/Registry.ts';
import type { SyncContext } from '../Controller.ts';
import type { Reason } from './garbageCollectorReasons.ts';
import { type Attempt, decideAttempt, waitsForDependents } from './decideAttempt.ts';
import type { Dependent, OwnerGraph } from './OwnerGraph.ts';

/** What a sync of the collector works with. */
export interface CollectDeps extends Pick<SyncContext, 'registry' | 'mayGoOn'> {
  readonly graph: OwnerGraph;
}

/** How far the collection around one object came. Not a `Committed`: one key is a walk through many objects, and each of its writes is conditional on the object alone, so there is nothing to settle or to add up. */
export interface Collected {
  readonly status: 'settled' | 'conflict' | 'outOfTime';
  readonly why: readonly Reason[];
  readonly writes: readonly string[];
}

/** Reads an object's owners, decides about the object and commits: Kubernetes' `attemptToDeleteItem`. */
export async function attemptToDeleteItem(deps: CollectDeps, { key, object }: Dependent): Promise<Collected> {
  const owners = await deps.graph.ownersOf(object);
  const waiting = owners.some(({ owner }) => owner && owner !== 'unknown' && waitsForDependents(owner));
  const dependents = waiting ? await deps.graph.dependentsOf({ ...key, uid: object.metadata.uid }) : [];
  const decided = decideAttempt(
    object,
    owners,
    dependents.map(({ object }) => object),
  );
  return commitAttempt(deps, { key, object }, decided);
}

async function commitAttempt(
  { registry }: CollectDeps,
  { key, object }: Dependent,
  decided: Attempt,
): Promise<Collected> {
  const place = `${key.resource} ${key.namespace}/${key.name}`;
  const { uid } = object.metadata;
  switch (decided.action) {
    case 'keep':
      return { status: 'settled', why: [decided.why], writes: [] };
    case 'dropReferences': {
      const unwanted = new Set(decided.uids);
      const ownerReferences = (object.metadata.ownerReferences ?? []).filter(({ uid }) => !unwanted.has(uid));
      const outcome = await registry.update(key.resource, withMetadata(object, { ownerReferences }), { from: object });
      return collectedFrom(outcome, decided.why, `drop gone owners of ${place}`);
    }
    case 'delete': {
      const unblocked = decided.unblockOwners
        ? await unblockOwnerReferences(registry, key.resource, object)
        : undefined;
      if (unblocked?.status === 'refused')
        return collectedFrom(unblocked, decided.why, `unblock the owners of ${place}`);
      // The condition includes the version: an object that was adopted or changed since is looked at again first.
      const { resourceVersion } = (unblocked?.object ?? object).metadata;
      const { propagationPolicy } = decided;
      const outcome = await registry.delete(key, { propagationPolicy, preconditions: { uid, resourceVersion } });
      return collectedFrom(outcome, decided.why, `delete ${place}`);
    }
    default:
      return decided satisfies never;
  }
}

/** Writes the object with references that block no owner's deletion: `unblockOwnerReferencesStrategicMergePatch`. */
function unblockOwnerReferences(registry: CollectDeps['registry'], resource: string, object: KubernetesObject) {
  const ownerReferences = (object.metadata.ownerReferences ?? []).map((owner) => ({
    ...owner,
    blockOwnerDeletion: false,
  }));
  return registry.update(resource, withMetadata(object, { ownerReferences }), { from: object });
}

export function withMetadata(
  object: KubernetesObject,
  metadata: Partial<KubernetesObject['metadata']>,
): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

/** What a write came to. A conflict is looked at again. An object that is gone needs nothing more. Throws other refusals. */
export function collectedFrom(
  outcome: WriteOutcome<unknown> | DeleteOutcome<unknown>,
  why: Reason,
  write: string,
): Collected {
  if (outcome.status !== 'refused') return { status: 'settled', why: [why], writes: [write] };
  const { error } = outcome;
  if (error.reason === 'NotFound') return { status: 'settled', why: [{ reason: 'isGoneAlready' }], writes: [] };
  if (error.reason === 'Conflict') return { status: 'conflict', why: [{ reason: 'changedMeanwhile' }], writes: [] };
  throw error;
}
