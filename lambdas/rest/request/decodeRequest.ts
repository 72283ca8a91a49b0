import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { trailOf } from '../audit/beginAudit.ts';
import { decodeCustomObject } from '../codec/decodeCustomObject.ts';
import { decodeObject } from '../codec/decodeObject.ts';
import { decodePatch } from '../patch/decodePatch.ts';
import type { FieldValidation } from '../schema/checkFields.ts';
import { readBudgetedBody } from './readRequestBody.ts';
import type { ResourceRequest } from './ResourceRequest.ts';

/** The kind that a request's body must have. */
export interface BodyKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Other versions whose objects are taken, too. */
  readonly olderVersions?: readonly string[];
}

/**
 * Reads a request's body as an object of this kind (by default the resource's own) and checks its fields. The object always has `metadata`, which may be
 * empty. Adds warnings for the client to the request's warnings.
 *
 * @throws ApiError BadRequest, UnsupportedMediaType, RequestEntityTooLarge, worded as Kubernetes does.
 */
export async function decodeRequest(
  request: ResourceRequest,
  fieldValidation: FieldValidation,
  bodyKind?: BodyKind,
): Promise<KubernetesObject> {
  const bytes = await readBudgetedBody(request);
  const contentType = request.raw.headers.get('content-type') ?? undefined;
  const { release } = request.resource.entry;
  const body = {
    bytes,
    contentType,
    fieldValidation,
    release,
    budget: request.budget,
    ...(bodyKind ?? ownKind(request)),
  };
  const custom = bodyKind ? undefined : request.resource.entry.custom;
  const { object, warnings } = await (custom ? decodeCustomObject(body, custom.schema()) : decodeObject(body));
  request.warnings.push(...warnings);
  trailOf(request.raw)?.noteRequest(object);
  object['metadata'] ??= {};
  return object as KubernetesObject;
}

function ownKind({ resource }: ResourceRequest): BodyKind {
  return { apiVersion: resource.apiVersion, kind: resource.entry.kind };
}

/** Applies a patch to an object, which it leaves unchanged. Returns a new object of the same kind, its fields checked. */
export type PatchDocument = (current: KubernetesObject) => KubernetesObject;

/**
 * Reads a request's patch once. The result can be applied again each time another writer changes the object first; the request's warnings are those of the
 * last application.
 *
 * @throws ApiError UnsupportedMediaType for a content type that is not a patch, BadRequest for a body that cannot be read. Applying the patch throws
 * Invalid or BadRequest if it does not fit the object.
 */
export async function decodePatchRequest(
  request: ResourceRequest,
  fieldValidation: FieldValidation,
  bodyKind?: BodyKind,
): Promise<PatchDocument> {
  const bytes = await readBudgetedBody(request);
  const contentType = request.raw.headers.get('content-type') ?? undefined;
  const custom = bodyKind ? undefined : request.resource.entry.custom?.schema();
  const isCustom = request.resource.entry.custom !== undefined;
  const apply = decodePatch({
    bytes,
    contentType,
    fieldValidation,
    isCustom,
    custom,
    release: request.resource.entry.release,
    budget: request.budget,
    ...(bodyKind ?? ownKind(request)),
  });
  trailOf(request.raw)?.notePatch(bytes);
  return (current) => {
    const { object, warnings } = apply(current);
    request.warnings.length = 0;
    for (const warning of warnings) request.warnings.push(warning);
    object['metadata'] ??= {};
    return object as KubernetesObject;
  };
}
