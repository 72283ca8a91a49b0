import { type KubernetesObject, namespacedName } from '../../objects/KubernetesObject.ts';
import type { ControllerRevision } from '../../objects/kinds.ts';
import { type GuardedRegistry, WriteRefusedError } from '../GuardedWriters.ts';
import { CONTROLLER_REVISIONS } from './claimRevisions.ts';
import { controllerRevisionName, hashControllerRevision, type NewRevision } from './newControllerRevision.ts';
import { equalRevision } from './templatePatch.ts';

/** A revision that is stored now. `conflict`: what was read has changed since, so that the owner must be observed again. */
export type CommittedRevision =
  | {
      readonly status: 'stored';
      readonly revision: ControllerRevision;
      /** For the owner's status: it grew with each name that other content had taken. */
      readonly collisionCount: number | undefined;
      readonly writes: readonly string[];
    }
  | { readonly status: 'conflict' };

/**
 * Stores the revision: Kubernetes' `CreateControllerRevision`. If its name is taken by a revision of the same content, that is the one; otherwise the collision count grows until a name is free. A create that lands after its
 * sync has ended does no harm: the revision keeps what its name says, and counts as history. Throws other refusals.
 */
export async function createControllerRevision(
  registry: GuardedRegistry,
  owner: KubernetesObject,
  draft: NewRevision,
  collisionCount: number | undefined,
): Promise<CommittedRevision> {
  for (let count = collisionCount; ; count = (count ?? 0) + 1) {
    const name = controllerRevisionName(owner.metadata.name, hashControllerRevision(draft.data, count));
    const named = { ...draft, metadata: { ...draft.metadata, name } };
    const outcome = await registry.create<ControllerRevision>(CONTROLLER_REVISIONS, named);
    if (outcome.status === 'stored') {
      const write = `create ${CONTROLLER_REVISIONS} ${draft.metadata.namespace ?? ''}/${name}`;
      return { status: 'stored', revision: outcome.object, collisionCount: count, writes: [write] };
    }
    if (outcome.error.reason !== 'AlreadyExists') throw outcome.error;
    const namespace = draft.metadata.namespace ?? '';
    const taken = await registry.get<ControllerRevision>({ resource: CONTROLLER_REVISIONS, namespace, name });
    if (!taken) return { status: 'conflict' };
    if (equalRevision(taken, draft)) return { status: 'stored', revision: taken, collisionCount: count, writes: [] };
  }
}

/** Gives a stored revision another number: Kubernetes' `UpdateControllerRevision`. Throws other refusals than a conflict. */
export async function updateControllerRevision(
  registry: GuardedRegistry,
  from: ControllerRevision,
  revision: number,
  collisionCount: number | undefined,
): Promise<CommittedRevision> {
  if (from.revision === revision) return { status: 'stored', revision: from, collisionCount, writes: [] };
  const outcome = await registry.update<ControllerRevision>(CONTROLLER_REVISIONS, { ...from, revision }, { from });
  if (outcome.status === 'stored') {
    const write = `number ${CONTROLLER_REVISIONS} ${namespacedName(from)} ${revision}`;
    return { status: 'stored', revision: outcome.object, collisionCount, writes: [write] };
  }
  if (['Conflict', 'NotFound'].includes(outcome.error.reason)) return { status: 'conflict' };
  throw outcome.error;
}

/**
 * Deletes revisions as they were read, in order, and returns one phrase for each. One that has changed since is left to the next sync: it may be in use again. Throws other refusals.
 */
export async function deleteControllerRevisions(
  registry: GuardedRegistry,
  revisions: readonly ControllerRevision[],
): Promise<readonly string[]> {
  const writes: string[] = [];
  for (const revision of revisions) {
    const { namespace = '', name, uid, resourceVersion } = revision.metadata;
    const key = { resource: CONTROLLER_REVISIONS, namespace, name };
    const outcome = await registry.delete(key, { preconditions: { uid, resourceVersion } });
    if (outcome.status !== 'refused') writes.push(`delete ${CONTROLLER_REVISIONS} ${namespacedName(revision)}`);
    else if (!['Conflict', 'NotFound'].includes(outcome.error.reason)) throw outcome.error;
  }
  return writes;
}

/** Deletes revisions that are beyond the history's limit, as `deleteControllerRevisions`. They can wait: after the sync's deadline they are left to the next one. */
export async function dropRevisions(
  registry: GuardedRegistry,
  surplus: readonly ControllerRevision[],
): Promise<readonly string[]> {
  try {
    return await deleteControllerRevisions(registry, surplus);
  } catch (error) {
    if (error instanceof WriteRefusedError) return [];
    throw error;
  }
}
