import { conflict, notFound } from '../objects/apiErrors.ts';
import type { ApiError } from '../objects/ApiError.ts';
import { jsonEqual } from '../objects/json.ts';
import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../objects/ObjectKey.ts';
import { checkLimits, fillInLimits, type NamespaceLimits } from './admission/applyLimitRanges.ts';
import { checkGlobalDefault } from './admission/applyPriority.ts';
import { authorizeWrite, isAuthorized } from './authorizeWrite.ts';
import { applyTopologyLabels } from './admission/applyTopologyLabels.ts';
import { chargeQuotas } from './admission/chargeQuotas.ts';
import type { ReplaceOutcome } from '../ports/ObjectStore.ts';
import { createObject } from './createObject.ts';
import {
  type AdmittedWrite,
  isAskedAbout,
  mutateWrite,
  timeoutOf,
  validateWrite,
} from './admission/dynamic/admitWrite.ts';
import { decideDraft, decideUpdate, keepUnchangeable, type UpdateDecision } from './decideUpdate.ts';
import { decideTracked } from './fieldmanager/FieldTracker.ts';
import { objectTooLarge } from './objectTooLarge.ts';
import type { Budgeted, TrackedOptions, UpdateOptions, WriteOutcome } from './Registry.ts';
import { PRIORITY_CLASSES } from './resources/priorityClasses.ts';
import { contextOf, type RegistryContext } from './RegistryContext.ts';
import { SERVICES } from './services/claimHoldings.ts';
import { allocateService, removeAndRelease, writeClaimed } from './services/writeService.ts';
import { applyStorageDefaults, type ResourceEntry } from './ResourceEntry.ts';

/**
 * Updates an object: reads it (unless `from` is given), decides, and writes once. An update with neither a resourceVersion nor `from` is unconditional: it
 * is decided again whenever another writer comes in between.
 */
export async function updateObject<T extends KubernetesObject>(
  given: RegistryContext,
  resource: GroupResource,
  object: T,
  options: Budgeted<UpdateOptions<T>>,
): Promise<WriteOutcome<T>> {
  const { name, namespace = '' } = object.metadata;
  const entry = await given.catalog.entryOf(resource, options.version);
  // A custom resource whose definition has gone since the request was routed.
  if (!entry) return refused(notFound(resource, name));
  const context = contextOf(given, entry, options.budget);
  const key = { resource, namespace, name };
  // A client's object may lack the resourceVersion that the type requires.
  const unconditional = options.from === undefined && !object.metadata.resourceVersion;
  for (;;) {
    const attempt = options.budget.attempt();
    const old = options.from ?? (await context.objectStore.get<T>(key));
    if (old === undefined) return updateAbsent(context, entry, object, options);
    const read = entry.strategy.readStored?.(old) ?? old;
    const decision = writeWhatWasRead(await admitUpdate(context, entry, object, read, options), old, read);
    if (options.dryRun === true) return dryOutcome(decision, old);
    const outcome = await commitUpdate<T>(context, key, decision, old, options);
    if (outcome !== 'conflict') return outcome;
    if (!unconditional) return refused(conflict(resource, name));
    attempt.undo();
  }
}

/** Decides what an update makes of the stored object, and asks webhooks and policies. They are asked again in each attempt, because the stored object is another one. */
async function admitUpdate(
  context: RegistryContext,
  entry: ResourceEntry,
  object: KubernetesObject,
  old: KubernetesObject,
  options: Budgeted<UpdateOptions<KubernetesObject>>,
): Promise<UpdateDecision> {
  // The pod controller knows the nodes, and binds with their labels.
  const isClientsBinding = options.subresource === 'binding' && options.request !== undefined;
  const given = isClientsBinding ? await applyTopologyLabels(context, object) : object;
  const drafted = await decideTracked(options.fieldTracker, () => decideDraft(entry, given, old, options));
  if (drafted.status === 'refused') return { decision: 'refuse', error: drafted.error };
  if (options.subresource !== 'resize') return admitDraft(context, entry, drafted.draft, old, options);
  const limits = await fillInLimits(context, drafted.draft);
  const decision = await admitDraft(context, entry, drafted.draft, old, options);
  return admitResize(context, entry, decision, { old, limits, options });
}

/** LimitRanger's bounds and quotas, for a pod whose containers are resized. */
async function admitResize(
  context: RegistryContext,
  entry: ResourceEntry,
  decision: UpdateDecision,
  { old, limits, options }: Resize,
): Promise<UpdateDecision> {
  if (decision.decision !== 'replace') return decision;
  const outOfBounds = checkLimits(limits, decision.object);
  if (outOfBounds !== undefined) return { decision: 'refuse', error: outOfBounds };
  const error = await chargeQuotas(context, entry, decision.object, { old, dryRun: options.dryRun });
  return error === undefined ? decision : { decision: 'refuse', error };
}

interface Resize {
  readonly old: KubernetesObject;
  readonly limits: NamespaceLimits;
  readonly options: Budgeted<UpdateOptions<KubernetesObject>>;
}

/** Decides at once if nobody has to be asked: most updates are statuses that controllers write. */
function admitDraft(
  context: RegistryContext,
  entry: ResourceEntry,
  drafted: KubernetesObject,
  old: KubernetesObject,
  options: Budgeted<UpdateOptions<KubernetesObject>>,
): UpdateDecision | Promise<UpdateDecision> {
  if (resourceHasDefault(entry) || isAuthorized(entry, options) || isAskedAbout(context, options))
    return askAboutDraft(context, entry, drafted, old, options);
  if (needsAllocation(entry, options)) return admitAllocated(context, entry, drafted, old, options);
  const decision = decideUpdate(entry, drafted, old, options, context.clock.now());
  const error = decision.decision === 'refuse' ? undefined : timeoutOf(context, options);
  return error === undefined ? decision : { decision: 'refuse', error };
}

async function askAboutDraft(
  context: RegistryContext,
  entry: ResourceEntry,
  drafted: KubernetesObject,
  old: KubernetesObject,
  options: Budgeted<UpdateOptions<KubernetesObject>>,
): Promise<UpdateDecision> {
  const refusal = resourceHasDefault(entry) ? await checkGlobalDefault(context, drafted, old) : undefined;
  if (refusal !== undefined) return { decision: 'refuse', error: refusal };
  const write: AdmittedWrite = { operation: 'UPDATE', entry, oldObject: old, options };
  const mutated = await mutateWrite(context, { ...write, object: drafted }, (changed) => {
    applyStorageDefaults(entry, changed);
    return Promise.resolve(undefined);
  });
  if (mutated.status === 'refused') return { decision: 'refuse', error: mutated.error };
  const { draft, isChanged } = mutated;
  const kept = isChanged ? keepUnchangeable(entry, draft, drafted, options) : draft;
  const decided = needsAllocation(entry, options)
    ? await admitAllocated(context, entry, kept, old, options)
    : decideUpdate(entry, kept, old, options, context.clock.now());
  const decision = await authorizeUpdate(context, entry, decided, old, options);
  if (decision.decision === 'refuse') return decision;
  const error = await validateWrite(context, { ...write, object: decision.object });
  return error === undefined ? decision : { decision: 'refuse', error };
}

/** True for a change of a Service's spec. */
function needsAllocation({ groupResource }: ResourceEntry, { subresource }: UpdateOptions<KubernetesObject>): boolean {
  return groupResource === SERVICES && subresource === undefined;
}

/** Gives a changed Service what it needs, before its change is decided. As in Kubernetes, an address that cannot be had is the only error. */
async function admitAllocated(
  context: RegistryContext,
  entry: ResourceEntry,
  draft: KubernetesObject,
  old: KubernetesObject,
  options: Budgeted<UpdateOptions<KubernetesObject>>,
): Promise<UpdateDecision> {
  const allocation = await allocateService(context, draft, old);
  if (allocation.error) return { decision: 'refuse', error: allocation.error };
  const decision = decideUpdate(entry, draft, old, options, context.clock.now());
  return decision.decision === 'replace' ? { ...decision, allocation } : decision;
}

async function authorizeUpdate(
  context: RegistryContext,
  entry: ResourceEntry,
  decision: UpdateDecision,
  old: KubernetesObject,
  options: Budgeted<UpdateOptions<KubernetesObject>>,
): Promise<UpdateDecision> {
  if (decision.decision === 'refuse') return decision;
  const error = await authorizeWrite(context, entry, decision.object, old, options);
  return error === undefined ? decision : { decision: 'refuse', error };
}

/** An update that changes nothing still stores what reading has changed: the defaults that a custom object did not have yet. */
function writeWhatWasRead(decision: UpdateDecision, old: KubernetesObject, read: KubernetesObject): UpdateDecision {
  if (decision.decision !== 'keep' || read === old || jsonEqual(read, old)) return decision;
  return { decision: 'replace', object: read };
}

/** True for the only resource whose changes the server's own admission looks at. */
function resourceHasDefault({ groupResource }: ResourceEntry): boolean {
  return groupResource === PRIORITY_CLASSES;
}

function refused(error: ApiError): { status: 'refused'; error: ApiError } {
  return { status: 'refused', error };
}

/** Creates the object if PUT may create this resource and the client sent neither UID nor resourceVersion: it does not expect the object to exist. */
async function updateAbsent<T extends KubernetesObject>(
  context: RegistryContext,
  { groupResource, strategy }: ResourceEntry,
  object: T,
  options: Budgeted<UpdateOptions<T>>,
): Promise<WriteOutcome<T>> {
  const { uid = '', resourceVersion = '' } = object.metadata as Partial<KubernetesObject['metadata']>;
  const creates = strategy.allowCreateOnUpdate === true;
  if (!creates || options.subresource !== undefined || uid !== '' || resourceVersion !== '')
    return refused(notFound(groupResource, object.metadata.name));
  return createObject<T>(context, groupResource, object, createOptions(options));
}

function createOptions<T>({
  from: _from,
  subresource: _subresource,
  ...options
}: Budgeted<UpdateOptions<T>>): Budgeted<TrackedOptions> {
  return options;
}

function dryOutcome<T extends KubernetesObject>(decision: UpdateDecision, old: T): WriteOutcome<T> {
  if (decision.decision === 'refuse') return refused(decision.error);
  return { status: 'stored', object: decision.decision === 'keep' ? old : (decision.object as T) };
}

async function commitUpdate<T extends KubernetesObject>(
  context: RegistryContext,
  key: ObjectKey,
  decision: UpdateDecision,
  old: T,
  options: TrackedOptions,
): Promise<WriteOutcome<T> | 'conflict'> {
  const { objectStore } = context;
  switch (decision.decision) {
    case 'refuse':
      return refused(decision.error);
    case 'keep':
      return { status: 'stored', object: old };
    case 'remove': {
      const { resourceVersion, uid } = old.metadata;
      const outcome = await removeAndRelease(objectStore, key, () =>
        objectStore.remove<T>(key, { resourceVersion, uid }),
      );
      if (outcome.status === 'conflict') return 'conflict';
      if (outcome.status === 'absent') return refused(notFound(key.resource, key.name));
      // As in Kubernetes, the answer has the version before the removal.
      return { status: 'stored', object: decision.object as T };
    }
    case 'replace': {
      const { object: draft, allocation } = decision;
      const write = () => objectStore.replace<T>(key.resource, draft as T);
      const isStored = ({ status }: ReplaceOutcome<T>) => status === 'stored';
      const outcome = allocation
        ? await writeClaimed(context, { draft, old, allocation, write, isStored })
        : await write();
      if (outcome.status === 'refused') return outcome;
      if (outcome.status === 'stored') return { status: 'stored', object: outcome.object };
      if (outcome.status === 'conflict') return 'conflict';
      if (outcome.status === 'absent') return refused(notFound(key.resource, key.name));
      const lighter = options.fieldTracker?.droppable === true ? withoutManagedFields(decision.object) : undefined;
      if (lighter) return commitUpdate(context, key, { ...decision, object: lighter }, old, options);
      return refused(objectTooLarge(outcome));
    }
  }
}

/** The object without its managedFields; `undefined` if it has none. */
function withoutManagedFields(object: KubernetesObject): KubernetesObject | undefined {
  const { managedFields, ...metadata } = object.metadata;
  return managedFields === undefined ? undefined : { ...object, metadata };
}
