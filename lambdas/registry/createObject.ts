import { ApiError } from '../objects/ApiError.ts';
import { alreadyExists, forbidden, generateNameConflict, invalid, notFound } from '../objects/apiErrors.ts';
import { lengthOfErrors } from '../objects/FieldError.ts';
import { askedName } from '../objects/askedName.ts';
import type { KubernetesObject, NewObject } from '../objects/KubernetesObject.ts';
import type { GroupResource } from '../objects/ObjectKey.ts';
import { formatTime } from '../ports/Clock.ts';
import type { CreateOutcome } from '../ports/ObjectStore.ts';
import { copyOf } from './copyOf.ts';
import { decideTracked, trackFields } from './fieldmanager/FieldTracker.ts';
import { admitCreate, admitNamespace } from './admission/admitCreate.ts';
import { chargeQuotas } from './admission/chargeQuotas.ts';
import { authorizeWrite, isAuthorized } from './authorizeWrite.ts';
import {
  type AdmittedWrite,
  isAskedAbout,
  mutateWrite,
  timeoutOf,
  validateWrite,
} from './admission/dynamic/admitWrite.ts';
import {
  applyStorageDefaults,
  groupKind,
  type ResourceEntry,
  STEPS_PER_VALIDATED_VALUE,
  storageApiVersion,
} from './ResourceEntry.ts';
import { objectTooLarge } from './objectTooLarge.ts';
import type { Budgeted, TrackedOptions, WriteOutcome } from './Registry.ts';
import { contextOf, type RegistryContext } from './RegistryContext.ts';
import { SERVICES } from './services/claimHoldings.ts';
import { allocateService, type ServiceAllocation, writeClaimed } from './services/writeService.ts';
import { validateMetadata } from './validateMetadata.ts';

/** The number of names that `generateName` tries before it gives up, as in Kubernetes since 1.30. */
const NAME_ATTEMPTS = 8;

/**
 * How long the namespace's admission stays valid, in milliseconds; longer by as much as it may be remembered. If the create has taken longer (many creates charged the same quota, names were taken, or the worker was
 * stopped), the namespace is read again. So a create has its effect at most this long and one write's lifetime after the namespace was seen active, or never; the namespace controller relies on it.
 */
const ADMISSION_LASTS_MS = 500;

/** The longest prefix of a generated name: with the five letters that follow, the name is a DNS label of at most 63. */
const GENERATED_PREFIX_LENGTH = 58;

/** Creates an object: names, defaults, admits, validates, charges quotas, stores. As `rest.BeforeCreate` and the generic store's Create of the API server. */
export async function createObject<T extends KubernetesObject>(
  given: RegistryContext,
  resource: GroupResource,
  object: NewObject,
  options: Budgeted<TrackedOptions>,
): Promise<WriteOutcome<T>> {
  const entry = await given.catalog.entryOf(resource, options.version);
  // A custom resource whose definition has gone since the request was routed.
  if (!entry) return refused(notFound(resource, object.metadata.name ?? ''));
  const context = contextOf(given, entry, options.budget);
  if (namesVersion(object.metadata.resourceVersion))
    return refused(new ApiError('Unknown', 'resourceVersion should not be set on objects to be created'));
  if (entry.custom?.isTerminating === true) return refused(terminating(entry, object));
  const asked = newDraft(context, entry, object);
  if (entry.virtual === true) return answerVirtual(context, entry, asked, options);
  await decideTracked(options.fieldTracker, () =>
    trackFields(options.fieldTracker, { live: undefined, draft: asked, given: object.metadata.managedFields }),
  );
  const admitted = await admitNamespace(context, entry, asked);
  if (admitted.error) return refused(admitted.error);
  const admission = await admitDraft(context, entry, asked, options);
  if (admission.status === 'refused') return admission;
  const { draft, allocation } = admission;
  const overQuota = await chargeQuotas(context, entry, draft, options);
  if (overQuota !== undefined) return refused(overQuota);
  if (options.dryRun === true) return dryCreate(context, entry, draft);
  return store(context, entry, draft, {
    allocation,
    admittedAtMs: admitted.readAtMs,
    nameIsGenerated: (object.metadata.name ?? '') === '',
    dropsFields: options.fieldTracker?.droppable === true,
  });
}

/** The API server reads the version as a number: 0, and what is no number, are as good as none. */
function namesVersion(resourceVersion = ''): boolean {
  return /^\d+$/.test(resourceVersion) && Number(resourceVersion) > 0;
}

function refused(error: ApiError): { status: 'refused'; error: ApiError } {
  return { status: 'refused', error };
}

function terminating({ groupResource }: ResourceEntry, { metadata }: NewObject): ApiError {
  return forbidden(
    groupResource,
    askedName({ metadata }),
    'create not allowed while custom resource definition is terminating',
  );
}

/** Copies the metadata that a client may set and fills in what the server sets. */
function newDraft(context: RegistryContext, entry: ResourceEntry, object: NewObject): KubernetesObject {
  const given = copyOf(entry, object);
  const { name, generateName, namespace, labels, annotations, ownerReferences, finalizers, uid } = given.metadata;
  const { generation } = given.metadata as { readonly generation?: number };
  const draft: KubernetesObject = {
    ...given,
    apiVersion: storageApiVersion(entry),
    kind: entry.kind,
    metadata: {
      name: name ?? '',
      ...(generateName !== undefined && { generateName }),
      ...(namespace !== undefined && { namespace }),
      uid: uid ?? context.ids.uid(),
      resourceVersion: '',
      creationTimestamp: formatTime(context.clock.now()),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(ownerReferences && { ownerReferences }),
      ...(finalizers && { finalizers }),
      // Of a kind that does not count its changes, a client may say anything.
      ...(generation !== undefined && !entry.strategy.generationChanges && { generation }),
    },
  };
  if (entry.status === true && entry.strategy.keepsStatusOnCreate !== true) delete draft['status'];
  applyStorageDefaults(entry, draft);
  return draft;
}

async function answerVirtual<T extends KubernetesObject>(
  context: RegistryContext,
  entry: ResourceEntry,
  given: KubernetesObject,
  options: Budgeted<TrackedOptions>,
): Promise<WriteOutcome<T>> {
  const write: AdmittedWrite = { operation: 'CREATE', entry, options };
  const mutated = await mutateWrite(context, { ...write, object: given }, () => Promise.resolve(undefined));
  if (mutated.status === 'refused') return mutated;
  const { draft } = mutated;
  entry.strategy.prepareForCreate?.(draft);
  const errors = entry.strategy.validate?.(draft, options.budget) ?? [];
  if (errors.length > 0) return refused(invalid(groupKind(entry), draft.metadata.name, errors));
  const refusal = await validateWrite(context, { ...write, object: draft });
  return refusal === undefined ? { status: 'stored', object: draft as T } : refused(refusal);
}

type AdmittedDraft =
  | {
      readonly status: 'admitted';
      readonly draft: KubernetesObject;
      readonly allocation?: ServiceAllocation | undefined;
    }
  | { readonly status: 'refused'; readonly error: ApiError };

/** What the server has set, webhooks cannot change. */
function withServerMetadata(mutated: KubernetesObject, { metadata }: KubernetesObject): KubernetesObject {
  const { managedFields: _managedFields, namespace: _namespace, ...changed } = mutated.metadata;
  const { uid, resourceVersion, creationTimestamp, managedFields, namespace } = metadata;
  return {
    ...mutated,
    metadata: {
      ...changed,
      uid,
      resourceVersion,
      creationTimestamp,
      ...(namespace !== undefined && { namespace }),
      ...(managedFields && { managedFields }),
    },
  };
}

/** Runs admission and validation in Kubernetes' order: what changes the object, its schema's rules, and what only looks. Quotas follow. */
async function admitDraft(
  context: RegistryContext,
  entry: ResourceEntry,
  given: KubernetesObject,
  options: Budgeted<TrackedOptions>,
): Promise<AdmittedDraft> {
  const refusal = await admitCreate(context, entry, given);
  if (refusal !== undefined) return refused(refusal);
  if (!isAuthorized(entry, options) && !isAskedAbout(context, options)) {
    const completed = await complete(context, entry, given, options);
    if (completed.status === 'refused') return completed;
    const error = timeoutOf(context, options);
    return error === undefined ? completed : refused(error);
  }
  return await askAboutDraft(context, entry, given, options);
}

async function askAboutDraft(
  context: RegistryContext,
  entry: ResourceEntry,
  given: KubernetesObject,
  options: Budgeted<TrackedOptions>,
): Promise<AdmittedDraft> {
  const write: AdmittedWrite = { operation: 'CREATE', entry, options };
  const mutated = await mutateWrite(context, { ...write, object: given }, (changed) => {
    applyStorageDefaults(entry, changed);
    return admitCreate(context, entry, changed);
  });
  if (mutated.status === 'refused') return mutated;
  const draft = mutated.isChanged ? withServerMetadata(mutated.draft, given) : given;
  const completed = await complete(context, entry, draft, options);
  if (completed.status === 'refused') return completed;
  const error =
    (await authorizeWrite(context, entry, draft, undefined, options)) ??
    (await validateWrite(context, { ...write, object: draft }));
  return error === undefined ? completed : refused(error);
}

/** Names the draft, gives a Service its addresses, and validates. As in Kubernetes, an address that cannot be had is the only error. */
async function complete(
  context: RegistryContext,
  entry: ResourceEntry,
  draft: KubernetesObject,
  options: Budgeted<TrackedOptions>,
): Promise<AdmittedDraft> {
  options.budget.spendOnEach(draft, STEPS_PER_VALIDATED_VALUE);
  const { name, generateName = '' } = draft.metadata;
  if (name === '' && generateName !== '') draft.metadata.name = generatedName(context, draft);
  const allocation = entry.groupResource === SERVICES ? await allocateService(context, draft, undefined) : undefined;
  const error = allocation?.error ?? prepareAndValidate(entry, draft, options);
  if (error !== undefined) return refused(error);
  return { status: 'admitted', draft, ...(allocation?.error === undefined && { allocation }) };
}

function prepareAndValidate(
  entry: ResourceEntry,
  draft: KubernetesObject,
  { budget, request }: Budgeted<TrackedOptions>,
): ApiError | undefined {
  entry.strategy.prepareForCreate?.(draft);
  if (entry.strategy.generationChanges !== undefined) Object.assign(draft.metadata, { generation: 1 });
  const errors = [...validateMetadata(entry, draft), ...(entry.strategy.validate?.(draft, budget) ?? [])];
  budget.keep(lengthOfErrors(errors));
  if (errors.length > 0) return invalid(groupKind(entry), draft.metadata.name, errors);
  const why = entry.strategy.forbidsCreate?.(draft);
  if (why !== undefined) return forbidden(entry.groupResource, draft.metadata.name, why);
  if (typeof request === 'object') entry.strategy.warnings?.(draft, undefined).forEach(request.warn);
  entry.strategy.prepareToStore?.(draft);
  return undefined;
}

function generatedName({ ids }: RegistryContext, { metadata }: KubernetesObject): string {
  return `${(metadata.generateName ?? '').slice(0, GENERATED_PREFIX_LENGTH)}${ids.nameSuffix()}`;
}

async function dryCreate<T extends KubernetesObject>(
  { objectStore }: RegistryContext,
  { groupResource }: ResourceEntry,
  draft: KubernetesObject,
): Promise<WriteOutcome<T>> {
  const { name, namespace = '' } = draft.metadata;
  const current = await objectStore.get({ resource: groupResource, namespace, name });
  if (current !== undefined) return refused(alreadyExists(groupResource, name));
  // An object that is not stored has no version, and Kubernetes does not show an empty one.
  const { resourceVersion: _, ...metadata } = draft.metadata;
  return { status: 'stored', object: { ...draft, metadata } as T };
}

interface Admission {
  /** What was decided about the addresses of a Service; absent for all others. */
  readonly allocation: ServiceAllocation | undefined;
  readonly admittedAtMs: number;
  readonly nameIsGenerated: boolean;
  /** True if an object that is too large may be stored without its managedFields. */
  readonly dropsFields: boolean;
}

async function store<T extends KubernetesObject>(
  context: RegistryContext,
  entry: ResourceEntry,
  draft: KubernetesObject,
  { allocation, admittedAtMs, nameIsGenerated, dropsFields }: Admission,
): Promise<WriteOutcome<T>> {
  const { groupResource } = entry;
  for (let attempt = 1; ; attempt += 1) {
    const closed = await admitAgain(context, entry, draft, admittedAtMs);
    if (closed !== undefined) return refused(closed);
    const write = () => context.objectStore.create<T>(groupResource, draft);
    const isStored = ({ status }: CreateOutcome<T>) => status === 'stored';
    const outcome = allocation ? await writeClaimed(context, { draft, allocation, write, isStored }) : await write();
    if (outcome.status === 'refused') return outcome;
    if (outcome.status === 'stored') return { status: 'stored', object: outcome.object };
    if (outcome.status === 'tooLarge') {
      if (!dropsFields || draft.metadata.managedFields === undefined) return refused(objectTooLarge(outcome));
      delete draft.metadata.managedFields;
      continue;
    }
    if (!nameIsGenerated) return refused(nameTaken(groupResource, draft.metadata.name, outcome.current));
    if (attempt === NAME_ATTEMPTS) return refused(generateNameConflict(groupResource, draft.metadata.name));
    draft.metadata.name = generatedName(context, draft);
    // The name may be part of the object, as in the labels of a Job.
    entry.strategy.prepareForCreate?.(draft);
  }
}

/** AlreadyExists, which says whether the object that has the name is being deleted. */
function nameTaken(resource: GroupResource, name: string, current: KubernetesObject | undefined): ApiError {
  const error = alreadyExists(resource, name);
  if (current?.metadata.deletionTimestamp === undefined) return error;
  return new ApiError(error.reason, `object is being deleted: ${error.message}`, error.details);
}

/** Repeats the namespace's admission until it is recent enough. */
async function admitAgain(
  context: RegistryContext,
  entry: ResourceEntry,
  draft: KubernetesObject,
  admittedAtMs: number,
): Promise<ApiError | undefined> {
  let lastMs = admittedAtMs;
  while (context.clock.steadyMs() - lastMs >= ADMISSION_LASTS_MS + context.admission.rememberMs) {
    const admitted = await admitNamespace(context, entry, draft);
    if (admitted.error) return admitted.error;
    lastMs = admitted.readAtMs;
  }
  return undefined;
}
