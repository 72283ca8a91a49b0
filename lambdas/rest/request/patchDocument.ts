import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { BodyKind } from './decodeRequest.ts';
import { decodePatch } from '../patch/decodePatch.ts';
import { readRequestBody } from './readRequestBody.ts';
import type { ResourceRequest } from './ResourceRequest.ts';
import type { FieldValidation } from '../schema/checkFields.ts';

/** Makes of an object, which it leaves alone, what the patch wants it to be: a fresh object of the same kind, its fields checked. */
export type PatchDocument = (current: KubernetesObject) => KubernetesObject;

/**
 * Reads a request's patch, once, to apply it as often as another writer comes in between. What the client is to be warned of is what the last time gave.
 *
 * @throws ApiError UnsupportedMediaType for a content type that is no patch, BadRequest for a body that is none; applying it throws Invalid or BadRequest
 * for a patch that doesn't fit the object.
 */
export async function patchDocument(
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
