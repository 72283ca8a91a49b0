import type { Namespace } from '../../objects/kinds.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { Controller, SyncContext, SyncOutcome, SyncReport } from '../Controller.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import { reasonInWords, reportDone } from './namespaceReasons.ts';
import { deleteAllContent, type DeletedContent } from './deleteAllContent.ts';
import { namespaceConditions } from './namespaceConditions.ts';

export interface NamespaceControllerDeps {
  /** The namespaced resources that are stored. */
  readonly resources: readonly GroupResource[];
  /** Returns the namespaced custom resources; absent: there are none. */
  readonly customResources?: () => Promise<readonly GroupResource[]>;
  /**
   * A listing that finds the namespace empty counts only if it was made this long after the namespace's deletion timestamp. By then every create that was admitted before has had its effect, or never
   * will; see `LATE_CREATES_MS`.
   */
  readonly lateCreatesMs: number;
}

const NAMESPACES = 'namespaces';
const KUBERNETES_FINALIZER = 'kubernetes';

/** Kubernetes' namespace controller: empties namespaces that are being deleted, and finalizes them when nothing can be created in them any more. */
export function createNamespaceController(deps: NamespaceControllerDeps): Controller<SyncContext> {
  const keyFor = (name: string): WorkKey => ({ controller: 'namespace', namespace: '', name });
  return {
    name: 'namespace',
    resources: [NAMESPACES],
    watches: [NAMESPACES],
    keysFor: async (change) => {
      const { name, deletionTimestamp } = subjectOf(change).metadata;
      return change.type !== 'DELETED' && deletionTimestamp !== undefined ? [{ key: keyFor(name) }] : [];
    },
    keysToResync: ({ metadata }) => (metadata.deletionTimestamp === undefined ? [] : [keyFor(metadata.name)]),
    sync: (key, context) => syncNamespaceFromKey(deps, key, context),
  };
}

/** Kubernetes' `syncNamespaceFromKey` and the `Delete` of its NamespacedResourcesDeleter. */
async function syncNamespaceFromKey(
  deps: NamespaceControllerDeps,
  key: WorkKey,
  context: SyncContext,
): Promise<SyncReport> {
  const namespace = await context.registry.get<Namespace>({ resource: NAMESPACES, namespace: '', name: key.name });
  if (!namespace) return reportDone({ reason: 'isGone' });
  if (namespace.metadata.deletionTimestamp === undefined) return reportDone({ reason: 'isNotBeingDeleted' });
  if (!namespace.spec?.finalizers?.includes(KUBERNETES_FINALIZER)) return reportDone({ reason: 'isFinalizedAlready' });
  if (namespace.status?.phase !== 'Terminating') return terminate(deps, namespace, context);
  const closedAtMs = Date.parse(namespace.metadata.deletionTimestamp) + 1000 + deps.lateCreatesMs;
  const resources = [...deps.resources, ...((await deps.customResources?.()) ?? [])];
  const content = await deleteAllContent(context, resources, key.name);
  if (content.counts.size > 0 || content.failures.length > 0) return waitForContent(namespace, content, context);
  // A create that was admitted before the deletion may still follow this listing.
  if (context.nowMs < closedAtMs) return waitForRequests(closedAtMs - context.nowMs);
  return finalizeNamespace(context.registry, namespace);
}

function conflict(): SyncReport {
  return { outcome: { status: 'conflict' }, why: [reasonInWords({ reason: 'changedMeanwhile' })], writes: [] };
}

function waitForRequests(delayMs: number): SyncReport {
  const why = [reasonInWords({ reason: 'waitsForRequests', delayMs })];
  return { outcome: { status: 'requeueAfter', delayMs }, why, writes: [] };
}

async function terminate(
  deps: NamespaceControllerDeps,
  namespace: Namespace,
  context: SyncContext,
): Promise<SyncReport> {
  const status = { ...namespace.status, phase: 'Terminating' };
  const written = await writeStatus(context.registry, namespace, status);
  if (written === 'conflict') return conflict();
  const again = await syncNamespaceFromKey(
    deps,
    { controller: 'namespace', namespace: '', name: namespace.metadata.name },
    context,
  );
  return { ...again, writes: ['mark it Terminating', ...again.writes] };
}

async function waitForContent(
  namespace: Namespace,
  content: DeletedContent,
  { registry, nowMs }: SyncContext,
): Promise<SyncReport> {
  const conditions = namespaceConditions(content, namespace.status?.conditions ?? [], nowMs);
  const written = await writeStatus(registry, namespace, { ...namespace.status, conditions });
  const ageMs = nowMs - Date.parse(namespace.metadata.deletionTimestamp ?? '');
  const outcome: SyncOutcome =
    written === 'conflict' ? { status: 'conflict' } : { status: 'requeueAfter', delayMs: delayFor(content, ageMs) };
  const remaining = conditions.filter(({ status }) => status === 'True');
  const why = remaining.map(({ message = '' }) => reasonInWords({ reason: 'contentRemains', message }));
  return { outcome, why, writes: [`delete ${content.deleted} object(s)`] };
}

/**
 * Returns the delay to the next look, in milliseconds. If objects were deleted and no finalizer holds any, it is short. Otherwise it grows with the namespace's age, because a finalizer may hold the
 * namespace for ever. It is at most 8 s, as long as Kubernetes waits for finalizers.
 */
function delayFor({ deleted, finalizers }: DeletedContent, ageMs: number): number {
  if (deleted > 0 && finalizers.size === 0) return 100;
  return Math.min(Math.max(1000, ageMs / 8), 8000);
}

async function writeStatus(registry: GuardedRegistry, namespace: Namespace, status: Namespace['status']) {
  if (JSON.stringify(status) === JSON.stringify(namespace.status)) return 'stored';
  const changed = { ...namespace, status } as Namespace;
  const outcome = await registry.update(NAMESPACES, changed, { subresource: 'status', from: namespace });
  if (outcome.status === 'stored') return 'stored';
  if (outcome.error.reason === 'Conflict' || outcome.error.reason === 'NotFound') return 'conflict';
  throw outcome.error;
}

async function finalizeNamespace(registry: GuardedRegistry, namespace: Namespace): Promise<SyncReport> {
  const finalizers = (namespace.spec?.finalizers ?? []).filter((name) => name !== KUBERNETES_FINALIZER);
  const finalized = { ...namespace, spec: { ...namespace.spec, finalizers } } as Namespace;
  const outcome = await registry.update(NAMESPACES, finalized, { subresource: 'finalize', from: namespace });
  if (outcome.status === 'stored') {
    return reportDone({ reason: 'isEmptyForGood' }, ['finalize it']);
  }
  if (outcome.error.reason === 'NotFound') return reportDone({ reason: 'isGone' });
  if (outcome.error.reason === 'Conflict') return conflict();
  throw outcome.error;
}
