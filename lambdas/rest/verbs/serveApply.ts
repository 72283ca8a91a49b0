import { ApiError } from '../../objects/ApiError.ts';
import { conflict, notFound } from '../../objects/apiErrors.ts';
import { cloneJson } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { RequestBudget } from '../../objects/RequestBudget.ts';
import type { CustomSchema } from '../../registry/apiextensions/CustomSchema.ts';
import { FieldManagerError } from '../../registry/fieldmanager/FieldManagerError.ts';
import { appliedTracker, type FieldTracker } from '../../registry/fieldmanager/FieldTracker.ts';
import type { JsonMap } from '../../registry/fieldmanager/MergeSchema.ts';
import { objectText, trackApply } from '../../registry/fieldmanager/trackApply.ts';
import type { FieldWriter } from '../../registry/fieldmanager/trackUpdate.ts';
import type { WriteOutcome } from '../../registry/Registry.ts';
import { DecodingBudget, limitsOf } from '../codec/DecodingBudget.ts';
import { APPLY_TYPE, decodeConfiguration, kindText } from '../patch/decodeConfiguration.ts';
import { fieldWriterOf, spendOnOwners } from '../request/fieldWriter.ts';
import { readBudgetedBody } from '../request/readRequestBody.ts';
import { trailOf } from '../audit/beginAudit.ts';
import { parseFlag } from '../request/RequestInfo.ts';
import { checkNameAndNamespace, keyOf } from '../request/requestTarget.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { parseWriteOptions } from '../request/writeOptions.ts';
import { objectForm, respondObject } from '../response/respond.ts';
import { checkCustomFields } from '../schema/checkCustomFields.ts';
import { cannotBeHandled, checkFields } from '../schema/checkFields.ts';
import { kindSchema } from '../schema/kindSchema.ts';
import { draftWrite } from './draftWrite.ts';
import { refuseOtherUid } from './refuseOtherUid.ts';
import { requireCreate } from './serveUpdate.ts';

/** The number of times that a write is tried if other writers change the object first: apiserver's MaxRetryWhenPatchConflicts. */
export const CONFLICT_ATTEMPTS = 5;

/** True for a patch that is a server-side apply. */
export function isApply(raw: Request): boolean {
  return (raw.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() === APPLY_TYPE;
}

/** What a request applies, and how. */
export interface ApplyOptions {
  readonly config: JsonMap;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly fieldManager: string;
}

/**
 * Reads the options and the body of a server-side apply of this kind. Adds warnings for the client to the request's warnings. Throws ApiError.
 */
export async function readApply(request: ResourceRequest, apiVersion: string, kind: string): Promise<ApplyOptions> {
  const { query, budget } = request;
  const { dryRun, fieldValidation, fieldManager } = parseWriteOptions(query, 'PatchOptions', true);
  const bytes = await readBudgetedBody(request);
  const { config, warnings } = await decodeConfiguration({ bytes, apiVersion, kind, fieldValidation, budget });
  request.warnings.push(...warnings);
  trailOf(request.raw)?.noteApply(config);
  return { config, force: parseFlag(query.get('force')), dryRun, fieldManager };
}

/**
 * Answers a server-side apply of an object or its status: merges what is applied into the stored object, or creates it. If the object changes meanwhile, it
 * starts again, unless what is applied means one version only.
 */
export async function serveApply(request: ResourceRequest): Promise<Response> {
  const { resource, dependencies } = request;
  const form = objectForm(request);
  const options = await readApply(request, resource.apiVersion, resource.entry.kind);
  const writer = fieldWriterOf(request, options.fieldManager);
  for (let attempt = 1; ; attempt++) {
    const begun = request.budget.attempt();
    const current = await dependencies.registry.get(keyOf(request));
    const { outcome, pinned } = await applyOnce(request, writer, options, current);
    if (outcome.status === 'stored') return respondObject(request, outcome.object, current ? 200 : 201, form);
    const raced = ['Conflict', 'AlreadyExists'].includes(outcome.error.reason);
    if (!raced || pinned || attempt >= CONFLICT_ATTEMPTS) throw outcome.error;
    begun.undo();
  }
}

interface Attempt {
  readonly outcome: WriteOutcome<KubernetesObject>;
  /** True if what is applied names a version of the object. */
  readonly pinned: boolean;
}

async function applyOnce(
  request: ResourceRequest,
  writer: FieldWriter,
  { config, force, dryRun }: ApplyOptions,
  current: KubernetesObject | undefined,
): Promise<Attempt> {
  const { registry } = request.dependencies;
  const { groupResource } = request.resource.entry;
  if (current === undefined && writer.subresource !== '') throw notFound(groupResource, request.info.name);
  const stored = current?.metadata.managedFields ?? [];
  spendOnOwners(request.budget, current, config);
  const apply = () => asApiError(() => trackApply(writer, { live: current, stored, config, force }));
  const applied = await (writer.settle ? writer.settle(apply) : apply());
  if (applied.refused !== undefined) throw applied.refused;
  const draft = decodeApplied(request, applied.object);
  const fieldTracker = appliedTracker(applied.managed);
  if (current === undefined)
    return { outcome: await createApplied(request, draft, fieldTracker, dryRun), pinned: false };
  checkNameAndNamespace(request, draft);
  refuseOtherUid(request, draft, current);
  const pinned = draft.metadata.resourceVersion !== current.metadata.resourceVersion;
  const { object, options } = draftWrite(request, draft, dryRun, fieldTracker);
  return { outcome: await registry.update(groupResource, object, { ...options, from: current }), pinned };
}

async function createApplied(
  request: ResourceRequest,
  draft: KubernetesObject,
  fieldTracker: FieldTracker,
  dryRun: boolean,
): Promise<WriteOutcome<KubernetesObject>> {
  const { resource, dependencies, info } = request;
  const { groupResource } = resource.entry;
  const { uid = '' } = draft.metadata as { uid?: string };
  if (uid !== '') {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(groupResource, info.name, why);
  }
  checkNameAndNamespace(request, draft);
  await requireCreate(request);
  // What there was of that version is gone, so the version means nothing.
  delete (draft.metadata as { resourceVersion?: string }).resourceVersion;
  const { object, options } = draftWrite(request, draft, dryRun, fieldTracker);
  return dependencies.registry.create(groupResource, object, options);
}

/** The merged object as a decoder reads it: nulls are dropped, and amounts and times have their usual form. Throws ApiError for a value that the decoder refuses. */
function decodeApplied({ resource, budget }: ResourceRequest, merged: JsonMap): KubernetesObject {
  const { apiVersion, entry } = resource;
  const object = cloneJson(merged) as Record<string, unknown>;
  new DecodingBudget(limitsOf({ apiVersion, kind: entry.kind, budget })).keepObject(object);
  if (entry.custom) return decodeAppliedCustom(object, apiVersion, entry.kind, entry.custom.schema(), budget);
  const schema = kindSchema(apiVersion, entry.kind, entry.release);
  if (schema === undefined) throw new Error(`no schema for ${entry.kind} in ${apiVersion}`);
  const check = checkFields({ object, schema, mode: 'Ignore', words: 'converter', budget });
  if (check.refused !== undefined) {
    // Bytes are the one type whose decoder does not name itself.
    const refused = check.refused.replace(/^illegal base64/, 'error decoding from json: illegal base64');
    const why = `unable to convert unstructured object to ${kindText({ apiVersion, kind: entry.kind })}: ${refused}`;
    throw new ApiError('Unknown', `failed to convert new object (${objectText(merged)}) to proper version: ${why}`);
  }
  object['metadata'] ??= {};
  return { ...object, apiVersion, kind: entry.kind } as KubernetesObject;
}

/** A custom object keeps the nulls that are applied. Throws ApiError as `checkCustomFields`, and BadRequest for what its schema cannot decode. */
function decodeAppliedCustom(
  object: Record<string, unknown>,
  apiVersion: string,
  kind: string,
  schema: CustomSchema,
  budget: RequestBudget,
): KubernetesObject {
  const check = checkCustomFields({
    object,
    strictErrors: [],
    mode: 'Ignore',
    apiVersion,
    kind,
    schema,
    budget,
    keepsNulls: true,
  });
  if (check.refused !== undefined) throw cannotBeHandled(apiVersion, kind, kind, check.refused);
  return object as KubernetesObject;
}

/** Answers what field managers refuse as Kubernetes does: with the code 500 and no reason, although it is the client's mistake. */
export function asApiError<T>(apply: () => T): T {
  try {
    return apply();
  } catch (error) {
    if (error instanceof FieldManagerError) throw new ApiError('Unknown', error.message, undefined, { cause: error });
    throw error;
  }
}
