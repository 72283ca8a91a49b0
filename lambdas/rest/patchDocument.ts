import jsonPatch from 'fast-json-patch';
import { ApiError } from '../objects/ApiError.ts';
import { badRequest } from '../objects/apiErrors.ts';
import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import { decodeJson } from './codec/decodeJson.ts';
import type { BodyKind } from './decodeRequest.ts';
import { readRequestBody } from './readRequestBody.ts';
import type { ResourceRequest } from './ResourceRequest.ts';
import { cannotBeHandled, checkFields, type FieldValidation } from './schema/checkFields.ts';
import { kindSchema } from './schema/kindSchema.ts';

/** Makes of an object, which it leaves alone, what the patch wants it to be: a fresh object of the same kind, its fields checked. */
export type PatchDocument = (current: KubernetesObject) => KubernetesObject;

/**
 * Reads a request's patch, once, to apply it as often as another writer comes in between.
 *
 * @throws ApiError UnsupportedMediaType for a content type that is no patch, BadRequest for a body that is none; the result throws Invalid or BadRequest for a
 * patch that doesn't fit the object.
 */
export async function patchDocument(
  request: ResourceRequest,
  fieldValidation: FieldValidation,
  kind: BodyKind = { apiVersion: request.resource.apiVersion, kind: request.resource.entry.kind },
): Promise<PatchDocument> {
  const type = request.raw.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  const apply = patchApplier(type);
  const decoded = decodeJson(new TextDecoder().decode(await readRequestBody(request.raw)));
  if (decoded.error !== undefined) throw badRequest(decoded.error);
  return (current) => {
    const object = apply(structuredClone(current), decoded.value) as Record<string, unknown>;
    const schema = kindSchema(kind.apiVersion, kind.kind);
    if (!schema) throw new Error(`no schema is known for ${kind.apiVersion} ${kind.kind}`);
    const check = checkFields({ object, strictErrors: decoded.strictErrors, schema, mode: fieldValidation });
    if (check.refused !== undefined) throw cannotBeHandled(kind.apiVersion, kind.kind, kind.kind, check.refused);
    request.warnings.splice(0, request.warnings.length, ...check.warnings);
    return object as KubernetesObject;
  };
}

function patchApplier(type: string): (current: unknown, patch: unknown) => unknown {
  switch (type) {
    case 'application/json-patch+json':
      return (current, patch) => jsonPatch.applyPatch(current, patch as jsonPatch.Operation[]).newDocument;
    case 'application/merge-patch+json':
      return mergePatch;
    default:
      throw new ApiError(
        'UnsupportedMediaType',
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json',
      );
  }
}

/** RFC 7386. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const merged = typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete (merged as Record<string, unknown>)[key];
    else (merged as Record<string, unknown>)[key] = mergePatch((merged as Record<string, unknown>)[key], value);
  }
  return merged;
}
