import { jsonEqual } from '../../objects/json.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import {
  CLEANUP_FINALIZER,
  type CustomResourceDefinition,
  DEFINITIONS,
  isConditionTrue,
} from '../../registry/customresources/CustomResourceDefinition.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import type { ObjectReader } from '../GuardedWriters.ts';
import { reasonInWords, reportDone } from './definitionReasons.ts';
import { decideDefinitionStatus } from './decideDefinitionStatus.ts';
import { conflict, finalizeDefinition } from './finalizeDefinition.ts';
import { statusTracker } from './statusTracker.ts';

export interface CustomResourceDefinitionDeps {
  readonly objectStore: ObjectReader;
  /** See `NamespaceControllerDeps.lateCreatesMs`. */
  readonly lateCreatesMs: number;
  /** How long other processes may remember a list of definitions; milliseconds. Accepted names are that old before a definition is established. */
  readonly rememberMs: number;
}

/**
 * Kubernetes' controllers of CustomResourceDefinitions in one: it accepts names, establishes definitions, says whether a protected group is approved, and deletes the objects of definitions that are
 * being deleted.
 */
export function createCustomResourceDefinitionController(deps: CustomResourceDefinitionDeps): Controller<SyncContext> {
  return {
    name: 'customresourcedefinition',
    resources: [DEFINITIONS],
    watches: [DEFINITIONS],
    keysFor: (change) => keysForChange(deps.objectStore, change),
    keysToResync: ({ metadata }) => [keyFor(metadata.name)],
    sync: (key, context) => syncDefinition(deps, key, context),
  };
}

function keyFor(name: string): WorkKey {
  return { controller: 'customresourcedefinition', namespace: '', name };
}

/** A definition that gives up names may let others of its group have them. */
async function keysForChange(objectStore: ObjectReader, change: Change): Promise<KeyToSend[]> {
  const before = change.before as CustomResourceDefinition | undefined;
  const after = change.after as CustomResourceDefinition | undefined;
  const own = after ? [{ key: keyFor(after.metadata.name) }] : [];
  if (!before || jsonEqual(before.status?.acceptedNames, after?.status?.acceptedNames)) return own;
  const others = await definitionsInGroup(objectStore, before);
  const waiting = others.filter((definition) => !isConditionTrue(definition, 'NamesAccepted'));
  return [...own, ...waiting.map(({ metadata }) => ({ key: keyFor(metadata.name) }))];
}

async function definitionsInGroup(
  objectStore: ObjectReader,
  { metadata, spec }: CustomResourceDefinition,
): Promise<CustomResourceDefinition[]> {
  const { items } = await objectStore.list<CustomResourceDefinition>(DEFINITIONS);
  return items.filter((other) => other.spec.group === spec.group && other.metadata.name !== metadata.name);
}

async function syncDefinition(
  deps: CustomResourceDefinitionDeps,
  key: WorkKey,
  context: SyncContext,
): Promise<SyncReport> {
  const place = { resource: DEFINITIONS, namespace: '', name: key.name };
  const definition = await context.registry.get<CustomResourceDefinition>(place);
  if (!definition) return reportDone({ reason: 'isGone' });
  if (definition.metadata.deletionTimestamp === undefined) return syncStatus(deps, definition, context);
  const isOurs = definition.metadata.finalizers?.includes(CLEANUP_FINALIZER) === true;
  return isOurs
    ? finalizeDefinition(definition, context, deps.lateCreatesMs)
    : reportDone({ reason: 'deletionIsNotOurs' });
}

async function syncStatus(
  { objectStore, rememberMs }: CustomResourceDefinitionDeps,
  definition: CustomResourceDefinition,
  { registry, nowMs }: SyncContext,
): Promise<SyncReport> {
  const others = await definitionsInGroup(objectStore, definition);
  const decided = decideDefinitionStatus(definition, others, nowMs, rememberMs);
  const writes: string[] = [];
  if (decided.status) {
    const changed = { ...definition, status: decided.status };
    const fieldTracker = statusTracker(nowMs);
    const outcome = await registry.update(DEFINITIONS, changed, {
      subresource: 'status',
      from: definition,
      fieldTracker,
    });
    if (outcome.status === 'refused') {
      if (outcome.error.reason === 'Conflict' || outcome.error.reason === 'NotFound') return conflict();
      throw outcome.error;
    }
    writes.push('write its names and conditions');
  }
  if (decided.establishAfterMs === undefined) return { ...reportDone({ reason: 'definitionIsRight' }), writes };
  const why = [reasonInWords({ reason: 'waitsToBeEstablished', delayMs: decided.establishAfterMs })];
  return { outcome: { status: 'requeueAfter', delayMs: decided.establishAfterMs }, why, writes };
}
