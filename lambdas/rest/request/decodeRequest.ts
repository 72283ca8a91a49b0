import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { decodeObject } from '../codec/decodeObject.ts';
import { readRequestBody } from './readRequestBody.ts';
import type { ResourceRequest } from './ResourceRequest.ts';
import type { FieldValidation } from '../schema/checkFields.ts';

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
