import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { decodeObject } from '../codec/decodeObject.ts';
import { readRequestBody } from './readRequestBody.ts';
import type { ResourceRequest } from './ResourceRequest.ts';
import type { FieldValidation } from '../schema/checkFields.ts';
import { decodePatch } from '../patch/decodePatch.ts';

/** The kind of which a body must be. */
export interface BodyKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Reads a request's body as an object of this kind (the resource's own unless another is given), its fields checked; `metadata` is there, though it may be empty.
 * What the client is to be warned of is added to the request's warnings.
 *
 * @throws ApiError BadRequest, UnsupportedMediaType, RequestEntityTooLarge, worded as Kubernetes does.
 */
export async function decodeRequest(
  request: ResourceRequest,
  fieldValidation: FieldValidation,
  { apiVersion, kind }: BodyKind = { apiVersion: request.resource.apiVersion, kind: request.resource.entry.kind },
): Promise<KubernetesObject> {
  const bytes = await readRequestBody(request.raw);
  const contentType = request.raw.headers.get('content-type') ?? undefined;
  const { object, warnings } = decodeObject({ bytes, contentType, apiVersion, kind, fieldValidation });
  request.warnings.push(...warnings);
  object['metadata'] ??= {};
  return object as KubernetesObject;
}

/** Makes of an object, which it leaves alone, what the patch wants it to be: a fresh object of the same kind, its fields checked. */
export type PatchDocument = (current: KubernetesObject) => KubernetesObject;

/**
 * Reads a request's patch, once, to apply it as often as another writer comes in between. What the client is to be warned of is what the last time gave.
 *
 * @throws ApiError UnsupportedMediaType for a content type that is no patch, BadRequest for a body that is none; applying it throws Invalid or BadRequest
 * for a patch that doesn't fit the object.
 */
export async function decodePatchRequest(
  request: ResourceRequest,
  fieldValidation: FieldValidation,
  { apiVersion, kind }: BodyKind = { apiVersion: request.resource.apiVersion, kind: request.resource.entry.kind },
): Promise<PatchDocument> {
  const bytes = await readRequestBody(request.raw);
  const contentType = request.raw.headers.get('content-type') ?? undefined;
  const apply = decodePatch({ bytes, contentType, apiVersion, kind, fieldValidation });
  return (current) => {
    const { object, warnings } = apply(current);
    request.warnings.splice(0, request.warnings.length, ...warnings);
    object['metadata'] ??= {};
    return object as KubernetesObject;
  };
}
