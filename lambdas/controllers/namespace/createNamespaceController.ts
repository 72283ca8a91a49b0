import type { Namespace } from '../../objects/kinds.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { Controller, SyncContext, SyncOutcome, SyncReport } from '../Controller.ts';
import type { GuardedRegistry } from '../guardWrites.ts';
import { type Emptied, emptyNamespace } from './emptyNamespace.ts';
import { namespaceConditions } from './namespaceConditions.ts';

export interface NamespaceControllerDeps {
  /** The namespaced resources that are stored. */
  readonly resources: readonly GroupResource[];
  /**
   * How long a request may go on writing after it saw the namespace active, in milliseconds. A listing that finds the namespace empty counts only
   * when it was made so long after the namespace became Terminating.
   */
  readonly requestLifetimeMs: number;
}

const NAMESPACES = 'namespaces';
const KUBERNETES_FINALIZER = 'kubernetes';

/** Empties namespaces that are being deleted, and lets go of them once nothing can come in any more. */
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
    sync: (key, context) => syncNamespace(deps, key, context),
  };
}

async function syncNamespace(deps: NamespaceControllerDeps, key: WorkKey, context: SyncContext): Promise<SyncReport> {
  const namespace = await context.registry.get<Namespace>({ resource: NAMESPACES, namespace: '', name: key.name });
  if (!namespace) return done('It is gone.');
  if (namespace.metadata.deletionTimestamp === undefined) return done('It is not being deleted.');
  if (!namespace.spec?.finalizers?.includes(KUBERNETES_FINALIZER)) return done('It is finalized already.');
  if (namespace.status?.phase !== 'Terminating') return terminate(deps, namespace, context);
  const closedAtMs = Date.parse(namespace.metadata.deletionTimestamp) + 1000 + deps.requestLifetimeMs;
  const emptied = await emptyNamespace(context, deps.resources, key.name);
  if (emptied.counts.size > 0) return waitForContent(namespace, emptied, context);
  // The listing was made before this time was up: a write admitted earlier may still come in.
  if (context.nowMs < closedAtMs) return waitForRequests(closedAtMs - context.nowMs);
  return finalize(context.late.registry, namespace);
}

function done(...why: string[]): SyncReport {
  return { outcome: { status: 'done' }, why, writes: [] };
}

function waitForRequests(delayMs: number): SyncReport {
  const why = [`It is empty; requests that saw it active may write for another ${delayMs} ms.`];
  return { outcome: { status: 'requeueAfter', delayMs }, why, writes: [] };
}

async function terminate(
  deps: NamespaceControllerDeps,
  namespace: Namespace,
  context: SyncContext,
): Promise<SyncReport> {
  const status = { ...namespace.status, phase: 'Terminating' };
  const written = await writeStatus(context.late.registry, namespace, status);
  if (written === 'conflict') return { outcome: { status: 'conflict' }, why: ['It changed meanwhile.'], writes: [] };
  const again = await syncNamespace(
    deps,
    { controller: 'namespace', namespace: '', name: namespace.metadata.name },
    context,
  );
  return { ...again, writes: ['mark it Terminating', ...again.writes] };
}

async function waitForContent(
  namespace: Namespace,
  emptied: Emptied,
  { late, nowMs }: SyncContext,
): Promise<SyncReport> {
  const conditions = namespaceConditions(emptied, namespace.status?.conditions ?? [], nowMs);
  const written = await writeStatus(late.registry, namespace, { ...namespace.status, conditions });
  const ageMs = nowMs - Date.parse(namespace.metadata.deletionTimestamp ?? '');
  const outcome: SyncOutcome =
    written === 'conflict' ? { status: 'conflict' } : { status: 'requeueAfter', delayMs: delayFor(emptied, ageMs) };
  const remaining = conditions.filter(({ status }) => status === 'True').map(({ message = '' }) => message);
  return { outcome, why: remaining, writes: [`delete ${emptied.deleted} object(s)`] };
}

/**
 * What ends at once is looked at at once. What has been waited for so long already may be waited for as long again, for somebody's finalizer even for ever, so it is looked
 * at ever less often; as Kubernetes waits for finalizers, it is never longer than 8 s.
 */
function delayFor({ deleted, finalizers }: Emptied, ageMs: number): number {
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

async function finalize(registry: GuardedRegistry, namespace: Namespace): Promise<SyncReport> {
  const finalizers = (namespace.spec?.finalizers ?? []).filter((name) => name !== KUBERNETES_FINALIZER);
  const finalized = { ...namespace, spec: { ...namespace.spec, finalizers } } as Namespace;
  const outcome = await registry.update(NAMESPACES, finalized, { subresource: 'finalize', from: namespace });
  if (outcome.status === 'stored') {
    return { ...done('It is empty, and nothing can come in any more.'), writes: ['finalize it'] };
  }
  if (outcome.error.reason === 'NotFound') return done('It is gone.');
  if (outcome.error.reason === 'Conflict')
    return { outcome: { status: 'conflict' }, why: ['It changed meanwhile.'], writes: [] };
  throw outcome.error;
}
