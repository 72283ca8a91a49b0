import { conflict, forbidden, notFound } from '../objects/apiErrors.ts';
import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { ObjectKey } from '../objects/ObjectKey.ts';
import { UnreadableObjectError } from '../ports/UnreadableObjectError.ts';
import { validateWrite } from './admission/dynamic/admitWrite.ts';
import { decideDeletion, type DeletionDecision } from './decideDeletion.ts';
import { objectTooLarge } from './objectTooLarge.ts';
import type { Budgeted, DeleteOptions, DeleteOutcome } from './Registry.ts';
import { contextOf, type RegistryContext } from './RegistryContext.ts';
import { removeAndRelease } from './services/writeService.ts';

/** The namespaces that every cluster has; Kubernetes' NamespaceLifecycle admission refuses to delete them. */
const UNDELETABLE_NAMESPACES = new Set(['default', 'kube-system', 'kube-public']);

/**
 * Deletes an object: reads it (unless `from` is given), decides, and writes once, on the condition that the object has not changed since. If it has,
 * reads and decides again, the caller's preconditions included. A pod that gets no grace period takes two writes: watchers see it deleted before it is gone. If the second write
 * is lost, the pod controller removes the pod.
 */
export async function deleteObject<T extends KubernetesObject>(
  given: RegistryContext,
  key: ObjectKey,
  options: Budgeted<DeleteOptions>,
): Promise<DeleteOutcome<T>> {
  if (key.resource === 'namespaces' && UNDELETABLE_NAMESPACES.has(key.name))
    return { status: 'refused', error: forbidden(key.resource, key.name, 'this namespace may not be deleted') };
  const entry = await given.catalog.entryOf(key.resource, options.version);
  if (!entry) return { status: 'refused', error: notFound(key.resource, key.name) };
  const context = contextOf(given, entry, options.budget);
  const from = options.from as T | undefined;
  // A caller that passes the object it read means that object, and not its successor of the same name.
  const preconditions = { ...(from && { uid: from.metadata.uid }), ...options.preconditions };
  let object: T | UnreadableObjectError | undefined = from;
  for (;;) {
    const attempt = options.budget.attempt();
    object ??= await context.objectStore.get<T>(key).catch(unreadable);
    if (object instanceof UnreadableObjectError) return await removeUnreadable<T>(context, key, object, options);
    if (object === undefined) return { status: 'refused', error: notFound(key.resource, key.name) };
    const asked = { ...options, preconditions };
    const decidedAtMs = context.clock.now();
    let decision = decideDeletion(entry, object, asked, decidedAtMs);
    if (decision.decision !== 'refuse' && decision.decision !== 'wait') {
      const error = await validateWrite(context, { operation: 'DELETE', entry, oldObject: object, options });
      if (error !== undefined) return { status: 'refused', error };
      // Webhooks may have taken half a minute. A namespace goes when its timestamp is old enough (`LATE_CREATES_MS`), so the timestamp must be taken just before it is stored.
      const nowMs = context.clock.now();
      if (nowMs !== decidedAtMs) decision = decideDeletion(entry, object, asked, nowMs);
    }
    const outcome =
      options.dryRun === true ? dryOutcome(decision, object) : await commitDeletion(context, key, decision, object);
    if (outcome !== 'conflict') return outcome;
    object = undefined;
    attempt.undo();
  }
}

function unreadable(error: unknown): UnreadableObjectError {
  if (error instanceof UnreadableObjectError) return error;
  throw error;
}

/** Nobody can tell what the object's finalizers and its grace period are, so it goes at once, as with Kubernetes' `ignoreStoreReadErrorWithClusterBreakingPotential`. */
async function removeUnreadable<T extends KubernetesObject>(
  { objectStore }: RegistryContext,
  key: ObjectKey,
  { remains }: UnreadableObjectError,
  { preconditions, dryRun }: DeleteOptions,
): Promise<DeleteOutcome<T>> {
  if (dryRun === true) return { status: 'removed', object: remains as T };
  const outcome = await objectStore.remove(key, preconditions);
  if (outcome.status === 'absent') return { status: 'refused', error: notFound(key.resource, key.name) };
  if (outcome.status === 'conflict') return { status: 'refused', error: conflict(key.resource, key.name) };
  return { status: 'removed', object: remains as T };
}

function dryOutcome<T extends KubernetesObject>(decision: DeletionDecision, object: T): DeleteOutcome<T> {
  switch (decision.decision) {
    case 'refuse':
      return { status: 'refused', error: decision.error };
    case 'wait':
      return { status: 'deleting', object };
    case 'mark':
      return { status: 'deleting', object: decision.object as T };
    case 'markAndRemove':
      return { status: 'removed', object: decision.object as T };
    case 'remove':
      return { status: 'removed', object };
  }
}

async function commitDeletion<T extends KubernetesObject>(
  context: RegistryContext,
  key: ObjectKey,
  decision: DeletionDecision,
  object: T,
): Promise<DeleteOutcome<T> | 'conflict'> {
  switch (decision.decision) {
    case 'refuse':
    case 'wait':
      return dryOutcome(decision, object);
    case 'remove':
      return await remove(context, key, object);
    case 'mark':
      return await mark(context, key, decision.object as T);
    case 'markAndRemove': {
      const marked = await mark(context, key, decision.object as T);
      if (marked === 'conflict' || marked.status !== 'deleting') return marked;
      const removed = await remove(context, key, marked.object);
      // The pod's runtime may have removed it in between.
      return removed !== 'conflict' && removed.status === 'refused'
        ? { status: 'removed', object: marked.object }
        : removed;
    }
  }
}

async function remove<T extends KubernetesObject>(
  { objectStore }: RegistryContext,
  key: ObjectKey,
  { metadata: { resourceVersion, uid } }: T,
): Promise<DeleteOutcome<T> | 'conflict'> {
  const outcome = await removeAndRelease(objectStore, key, () => objectStore.remove<T>(key, { resourceVersion, uid }));
  if (outcome.status === 'absent') return { status: 'refused', error: notFound(key.resource, key.name) };
  return outcome.status === 'conflict' ? 'conflict' : { status: 'removed', object: outcome.object };
}

async function mark<T extends KubernetesObject>(
  { objectStore }: RegistryContext,
  key: ObjectKey,
  object: T,
): Promise<DeleteOutcome<T> | 'conflict'> {
  const outcome = await objectStore.replace<T>(key.resource, object);
  if (outcome.status === 'absent') return { status: 'refused', error: notFound(key.resource, key.name) };
  if (outcome.status === 'tooLarge') return { status: 'refused', error: objectTooLarge(outcome) };
  return outcome.status === 'conflict' ? 'conflict' : { status: 'deleting', object: outcome.object };
}
