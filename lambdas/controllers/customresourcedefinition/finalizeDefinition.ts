import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import {
  CLEANUP_FINALIZER,
  type CustomResourceDefinition,
  DEFINITIONS,
  findCondition,
  withCondition,
} from '../../registry/customresources/CustomResourceDefinition.ts';
import type { WriteOutcome } from '../../registry/Registry.ts';
import type { SyncContext, SyncOutcome, SyncReport } from '../Controller.ts';
import { type Reason, reasonInWords } from './definitionReasons.ts';
import { statusTracker } from './statusTracker.ts';

const PAGE_SIZE = 500;
const CONCURRENT_DELETES = 32;

/** What a look at the objects of a definition found. */
interface Found {
  readonly objects: number;
  readonly deleted: number;
  /** Whether finalizers hold any of them. */
  readonly isHeld: boolean;
}

/**
 * Deletes the objects of a definition that is being deleted, and then its finalizer: Kubernetes' `CRDFinalizer`. A list that finds none counts only if it was made `lateCreatesMs` after the
 * deletion: by then every create that was admitted before has had its effect, or never will.
 */
export async function finalizeDefinition(
  definition: CustomResourceDefinition,
  context: SyncContext,
  lateCreatesMs: number,
): Promise<SyncReport> {
  const marked = await markInProgress(definition, context);
  if (marked === 'conflict') return conflict();
  const found = await deleteObjects(definition, context);
  const deletedAtMs = Date.parse(definition.metadata.deletionTimestamp ?? '');
  if (found.objects > 0) return waitForObjects(found, context.nowMs - deletedAtMs);
  const closedAtMs = deletedAtMs + 1000 + lateCreatesMs;
  // A definition whose names were never accepted was never served.
  const wasServed = (definition.status?.acceptedNames?.plural ?? '') !== '';
  if (wasServed && context.nowMs < closedAtMs) return waitForRequests(closedAtMs - context.nowMs);
  return removeFinalizer(marked, context);
}

async function markInProgress(
  definition: CustomResourceDefinition,
  { registry, nowMs }: SyncContext,
): Promise<CustomResourceDefinition | 'conflict'> {
  const condition = {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionInProgress',
    message: 'CustomResource deletion is in progress',
  } as const;
  if (findCondition(definition, 'Terminating')?.reason === condition.reason) return definition;
  const conditions = withCondition(definition.status?.conditions, condition, nowMs);
  const changed = { ...definition, status: { ...definition.status, conditions } } as CustomResourceDefinition;
  const fieldTracker = statusTracker(nowMs);
  const outcome = await registry.update(DEFINITIONS, changed, {
    subresource: 'status',
    from: definition,
    fieldTracker,
  });
  return storedOrConflict(outcome);
}

function storedOrConflict<T>(outcome: WriteOutcome<T>): T | 'conflict' {
  if (outcome.status === 'stored') return outcome.object;
  if (outcome.error.reason === 'Conflict' || outcome.error.reason === 'NotFound') return 'conflict';
  throw outcome.error;
}

/** Deletes every object that is not being deleted already, while the sync may write. */
async function deleteObjects({ metadata: { name } }: CustomResourceDefinition, context: SyncContext): Promise<Found> {
  let objects = 0;
  let deleted = 0;
  let isHeld = false;
  let after: { readonly namespace: string; readonly name: string } | undefined;
  do {
    const page = await context.registry.list(name, { limit: PAGE_SIZE, ...(after && { after }) });
    objects += page.items.length;
    isHeld ||= page.items.some(({ metadata }) => (metadata.finalizers ?? []).length > 0);
    deleted += await deleteEach(
      page.items.filter(({ metadata }) => metadata.deletionTimestamp === undefined),
      name,
      context,
    );
    const last = page.items.at(-1)?.metadata;
    after = page.more && last ? { namespace: last.namespace ?? '', name: last.name } : undefined;
  } while (after && context.mayGoOn());
  return { objects, deleted, isHeld };
}

/** Returns how many were deleted. */
async function deleteEach(
  objects: readonly KubernetesObject[],
  resource: string,
  { registry, mayGoOn }: SyncContext,
): Promise<number> {
  const waiting = objects.values();
  let deleted = 0;
  const worker = async () => {
    for (let next = waiting.next(); !next.done && mayGoOn(); next = waiting.next()) {
      const { namespace = '', name, uid } = next.value.metadata;
      const outcome = await registry.delete(
        { resource, namespace, name },
        { propagationPolicy: 'Background', preconditions: { uid } },
      );
      if (outcome.status !== 'refused') deleted += 1;
      else if (!['NotFound', 'Conflict'].includes(outcome.error.reason)) throw outcome.error;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_DELETES }, worker));
  return deleted;
}

async function removeFinalizer(definition: CustomResourceDefinition, { registry }: SyncContext): Promise<SyncReport> {
  const finalizers = (definition.metadata.finalizers ?? []).filter((name) => name !== CLEANUP_FINALIZER);
  const finalized = { ...definition, metadata: { ...definition.metadata, finalizers } };
  const outcome = await registry.update(DEFINITIONS, finalized, { from: definition });
  if (storedOrConflict(outcome) === 'conflict') return conflict();
  const why = [reasonInWords({ reason: 'definitionIsEmpty' })];
  return { outcome: { status: 'done' }, why, writes: [`drop finalizer ${CLEANUP_FINALIZER}`] };
}

export function conflict(): SyncReport {
  return { outcome: { status: 'conflict' }, why: [reasonInWords({ reason: 'changedMeanwhile' })], writes: [] };
}

/**
 * Waits to look again: shortly if objects were deleted just now and nothing holds them, otherwise the longer the deletion has lasted, because a finalizer may hold an object for ever.
 */
function waitForObjects({ objects, deleted, isHeld }: Found, ageMs: number): SyncReport {
  const delayMs = deleted > 0 && !isHeld ? 100 : Math.min(Math.max(1000, ageMs / 8), 8000);
  const outcome: SyncOutcome = { status: 'requeueAfter', delayMs };
  const why: Reason = { reason: 'customObjectsRemain', objects };
  return { outcome, why: [reasonInWords(why)], writes: deleted > 0 ? [`delete ${deleted} object(s)`] : [] };
}

function waitForRequests(delayMs: number): SyncReport {
  const why = [reasonInWords({ reason: 'definitionWaitsForRequests', delayMs })];
  return { outcome: { status: 'requeueAfter', delayMs }, why, writes: [] };
}
