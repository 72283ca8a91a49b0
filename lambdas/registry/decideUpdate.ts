import type { ManagedFieldsEntry } from 'kubernetes-types/meta/v1.js';
import { ApiError } from '../objects/ApiError.ts';
import { conflict, invalid } from '../objects/apiErrors.ts';
import { type FieldError, lengthOfErrors } from '../objects/FieldError.ts';
import { goQuote } from '../objects/go/goQuote.ts';
import { cloneJson, copyJson, jsonEqual } from '../objects/json.ts';
import { deepEqual } from './apiextensions/values/deepEqual.ts';
import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import { copyOf } from './copyOf.ts';
import { decideBinding } from './decideBinding.ts';
import { type FieldTracker, trackFields } from './fieldmanager/FieldTracker.ts';
import type { Budgeted, UpdateOptions } from './Registry.ts';
import {
  applyStorageDefaults,
  groupKind,
  type PartStrategy,
  type ResourceEntry,
  STEPS_PER_VALIDATED_VALUE,
  storageApiVersion,
} from './ResourceEntry.ts';
import { isSet, preconditionFailed } from './preconditionFailed.ts';
import type { ServiceAllocation } from './services/writeService.ts';
import { validateMetadataUpdate } from './validateMetadata.ts';
import type { UpdateDraft } from './UpdateDraft.ts';

/** `object` is what the stored object would be. */
export type UpdateDecision =
  | { readonly decision: 'refuse'; readonly error: ApiError }
  /** Nothing changes, so nothing is written and the resourceVersion stays. */
  | { readonly decision: 'keep'; readonly object: KubernetesObject }
  /** The update removes the last finalizer of a deleted object: the object is removed. */
  | { readonly decision: 'remove'; readonly object: KubernetesObject }
  | {
      readonly decision: 'replace';
      readonly object: KubernetesObject;
      /** What was decided about the addresses of a Service; absent for all others. */
      readonly allocation?: ServiceAllocation;
    };

type DraftOptions = Pick<
  Budgeted<UpdateOptions<KubernetesObject>>,
  'subresource' | 'fieldTracker' | 'request' | 'budget'
>;

/** Drafts an update of `old` to `object`: what the server sets stays, the storage version's defaults are filled in, and fields get their owners. Pure. */
export function decideDraft(
  entry: ResourceEntry,
  object: KubernetesObject,
  old: KubernetesObject,
  options: DraftOptions,
): UpdateDraft {
  if (options.subresource === 'binding') return decideBinding(object, old);
  const refusal = identityRefusal(entry, object, old);
  if (refusal !== undefined) return { status: 'refused', error: refusal };
  return { status: 'drafted', draft: draftOf(entry, object, old, options) };
}

/** Takes of what webhooks made of a draft what the update may change. Pure. */
export function keepUnchangeable(
  entry: ResourceEntry,
  mutated: KubernetesObject,
  drafted: KubernetesObject,
  { subresource }: DraftOptions,
): KubernetesObject {
  const { managedFields } = drafted.metadata;
  const metadata = {
    ...keepServerMetadata(mutated.metadata, drafted.metadata),
    ...(managedFields !== undefined && { managedFields }),
  };
  if (isStatus(subresource)) return { ...drafted, metadata, status: mutated['status'] };
  const draft = { ...mutated, metadata };
  if (entry.status === true) keepMember(draft, drafted, 'status');
  applyStorageDefaults(entry, draft);
  return draft;
}

/** Decides an update of `old` to a draft of it, as `rest.BeforeUpdate` and the generic store's Update of the API server. Changes the draft, and warns the request. */
export function decideUpdate(
  entry: ResourceEntry,
  draft: KubernetesObject,
  old: KubernetesObject,
  options: DraftOptions,
  nowMs: number,
): UpdateDecision {
  const { subresource, fieldTracker, request } = options;
  if (subresource === 'binding') return { decision: 'replace', object: draft };
  options.budget.spendOnEach(draft, STEPS_PER_VALIDATED_VALUE);
  prepare(entry, draft, old, subresource, nowMs);
  const errors = [...validateMetadataUpdate(entry, draft, old), ...strategyErrors(entry, draft, old, options)];
  options.budget.keep(lengthOfErrors(errors));
  if (errors.length > 0) return { decision: 'refuse', error: invalid(groupKind(entry), draft.metadata.name, errors) };
  if (subresource === undefined && typeof request === 'object')
    entry.strategy.warnings?.(draft, old).forEach(request.warn);
  entry.strategy.prepareToStore?.(draft);
  if (isRemovable(entry, draft, old)) return { decision: 'remove', object: draft };
  const isSame =
    fieldTracker === undefined
      ? isUnchanged(entry, draft, old)
      : isUnchanged(entry, withoutTimes(draft), withoutTimes(old));
  return isSame ? { decision: 'keep', object: draft } : { decision: 'replace', object: draft };
}

/** The object without the times at which its fields were written, by which their owners are ordered: on their own, they are no reason for a new version. */
function withoutTimes({ metadata, ...object }: KubernetesObject): KubernetesObject {
  const managedFields = metadata.managedFields
    ?.map(({ time: _time, ...entry }) => entry)
    .sort((a, b) => (ownerText(a) < ownerText(b) ? -1 : 1));
  return { ...object, metadata: { ...metadata, ...(managedFields && { managedFields }) } };
}

function ownerText({ manager, operation, apiVersion, subresource }: ManagedFieldsEntry): string {
  return `${operation} ${manager} ${apiVersion} ${subresource}`;
}

function identityRefusal(entry: ResourceEntry, object: KubernetesObject, old: KubernetesObject): ApiError | undefined {
  const { uid, resourceVersion, name, namespace } = object.metadata;
  if (isSet(uid) && uid !== old.metadata.uid) {
    const place = [entry.custom && entry.group, entry.plural, namespace, name].filter(isSet).join('/');
    const why = `UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid}`;
    return preconditionFailed(entry.groupResource, name, `/registry/${place}`, why);
  }
  if (isSet(resourceVersion) && !/^\d+$/.test(resourceVersion))
    return new ApiError('Unknown', `strconv.ParseUint: parsing ${goQuote(resourceVersion)}: invalid syntax`);
  if (isSet(resourceVersion) && Number(resourceVersion) !== 0)
    return resourceVersion === old.metadata.resourceVersion ? undefined : conflict(entry.groupResource, name);
  if (entry.strategy.allowUnconditionalUpdate !== false) return undefined;
  // Kubernetes names the resource here, and not the kind.
  return invalid(entry.groupResource, name, [
    {
      type: 'FieldValueInvalid',
      field: 'metadata.resourceVersion',
      badValue: 0,
      detail: 'must be specified for an update',
    },
  ]);
}

function isStatus(subresource: DraftOptions['subresource']): boolean {
  return subresource === 'status' || subresource === 'approval';
}

function draftOf(
  entry: ResourceEntry,
  object: KubernetesObject,
  old: KubernetesObject,
  { subresource, fieldTracker }: DraftOptions,
): KubernetesObject {
  if (isStatus(subresource)) return draftOfStatus(entry, object, old, fieldTracker);
  const given = copyOf(entry, object);
  const draft: KubernetesObject = {
    ...given,
    apiVersion: storageApiVersion(entry),
    kind: entry.kind,
    metadata: keepServerMetadata(given.metadata, old.metadata),
  };
  if (entry.status === true) keepMember(draft, old, 'status');
  if (subresource === undefined || partOf(entry, subresource)) applyStorageDefaults(entry, draft);
  trackFields(fieldTracker, { live: old, draft, given: object.metadata.managedFields });
  return draft;
}

/** Lets the resource's own rules decide what changes. Changes the draft. */
function prepare(
  entry: ResourceEntry,
  draft: KubernetesObject,
  old: KubernetesObject,
  subresource: DraftOptions['subresource'],
  nowMs: number,
): void {
  const { strategy } = entry;
  if (subresource === 'approval') return strategy.prepareForApproval?.(draft, old, nowMs);
  if (subresource === 'status') return strategy.prepareForStatusUpdate?.(draft, old, nowMs);
  if (subresource === undefined) strategy.prepareForUpdate?.(draft, old);
  const part = partOf(entry, subresource);
  if (part) keepAllBut(part, draft, old);
  if (strategy.generationChanges?.(draft, old) === true)
    Object.assign(draft.metadata, { generation: (old.metadata.generation ?? 0) + 1 });
}

function partOf({ strategy }: ResourceEntry, subresource: DraftOptions['subresource']): PartStrategy | undefined {
  return subresource === undefined ? undefined : strategy.parts?.[subresource];
}

/** Leaves of the draft only the part of the spec that the subresource changes, and the owners of fields. */
function keepAllBut(part: PartStrategy, draft: KubernetesObject, old: KubernetesObject): void {
  const { managedFields } = draft.metadata;
  draft['spec'] = part.mergeSpec(draft, old);
  part.completeStatus?.(draft, old);
  draft.metadata = { ...old.metadata };
  if (managedFields) draft.metadata.managedFields = managedFields;
  else delete draft.metadata.managedFields;
}

/** Drafts an update of the status, or of the decision in it. What is not given anew is shared with the old object: no strategy changes what is in it. */
function draftOfStatus(
  entry: ResourceEntry,
  object: KubernetesObject,
  old: KubernetesObject,
  fieldTracker: DraftOptions['fieldTracker'],
): KubernetesObject {
  const metadata =
    object.metadata === old.metadata
      ? { ...old.metadata }
      : keepServerMetadata(copyJson(object.metadata), old.metadata);
  const draft: KubernetesObject = { ...old, metadata, status: copyOf(entry, object['status'] ?? {}) };
  if (entry.custom && object['status'] === undefined) delete draft['status'];
  if (entry.custom) trackCustomStatus(fieldTracker, copyOf(entry, object), draft, old);
  else trackFields(fieldTracker, { live: old, draft, given: object.metadata.managedFields });
  return draft;
}

/** The whole of what the client sends counts for who owns what, also what is then passed over. Changes the draft. */
function trackCustomStatus(
  fieldTracker: FieldTracker | undefined,
  sent: KubernetesObject,
  draft: KubernetesObject,
  old: KubernetesObject,
): void {
  const seen = { ...sent, metadata: draft.metadata };
  trackFields(fieldTracker, { live: old, draft: seen, given: sent.metadata.managedFields, isUnchecked: true });
}

/** In a custom object, nulls, empty lists and absence are different things, but for its metadata. */
function isUnchanged(entry: ResourceEntry, draft: KubernetesObject, old: KubernetesObject): boolean {
  if (!entry.custom) return jsonEqual(draft, old);
  const contentOf = ({ metadata: _metadata, ...content }: KubernetesObject) => content;
  return jsonEqual(draft.metadata, old.metadata) && deepEqual(contentOf(draft), contentOf(old));
}

function keepMember(draft: KubernetesObject, old: KubernetesObject, member: string): void {
  if (old[member] === undefined) delete draft[member];
  else draft[member] = cloneJson(old[member]);
}

const COLLECTIONS = ['ownerReferences', 'finalizers', 'labels', 'annotations'] as const;

/** Kubernetes writes no empty list and no empty map of the metadata, whoever took out the last member. Changes the metadata. */
function withoutEmptyMetadata<T extends Partial<KubernetesObject['metadata']>>(metadata: T): T {
  for (const name of COLLECTIONS) {
    const members = metadata[name];
    if (members !== undefined && members !== null && Object.keys(members).length === 0) delete metadata[name];
  }
  return metadata;
}

/** Keeps the metadata that only the server sets. A deletion that has begun is never undone. */
function keepServerMetadata(
  given: KubernetesObject['metadata'],
  old: KubernetesObject['metadata'],
): KubernetesObject['metadata'] {
  const { generation: _generation, managedFields: _managedFields, selfLink: _selfLink, ...rest } = given;
  return {
    ...withoutEmptyMetadata(rest),
    // The path implies a missing namespace; validation refuses a wrong one.
    ...(rest.namespace === undefined && old.namespace !== undefined && { namespace: old.namespace }),
    uid: old.uid,
    resourceVersion: old.resourceVersion,
    creationTimestamp: old.creationTimestamp,
    ...(old.generation !== undefined && { generation: old.generation }),
    ...(old.deletionTimestamp !== undefined && { deletionTimestamp: old.deletionTimestamp }),
    ...(old.deletionGracePeriodSeconds !== undefined && {
      deletionGracePeriodSeconds: old.deletionGracePeriodSeconds,
    }),
    ...(old.managedFields !== undefined && { managedFields: old.managedFields }),
  };
}

function strategyErrors(
  entry: ResourceEntry,
  draft: KubernetesObject,
  old: KubernetesObject,
  { subresource, request, budget }: DraftOptions,
): FieldError[] {
  if (subresource === 'finalize') return [];
  if (subresource === 'status') return entry.strategy.validateStatusUpdate?.(draft, old, budget) ?? [];
  if (subresource === 'approval') return entry.strategy.validateApproval?.(draft, old) ?? [];
  const part = partOf(entry, subresource);
  if (part) return part.validateUpdate(draft, old);
  const warn = typeof request === 'object' ? request.warn : undefined;
  return entry.strategy.validateUpdate?.(draft, old, budget, warn) ?? [];
}

function isRemovable(entry: ResourceEntry, draft: KubernetesObject, old: KubernetesObject): boolean {
  return (
    old.metadata.deletionTimestamp !== undefined &&
    (old.metadata.deletionGracePeriodSeconds ?? 0) === 0 &&
    (draft.metadata.finalizers ?? []).length === 0 &&
    entry.strategy.isHeld?.(draft) !== true
  );
}
