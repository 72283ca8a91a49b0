import { ApiError } from '../../objects/ApiError.ts';
import { invalid } from '../../objects/apiErrors.ts';
import type { DecodedObject } from '../codec/decodeObject.ts';
import { decodeJson } from '../codec/decodeJson.ts';
import { checkFields, type FieldValidation } from '../schema/checkFields.ts';
import { kindSchema } from '../schema/kindSchema.ts';
import type { Schema } from '../schema/schemaOf.ts';
import { applyJsonPatch, rejectedPatch } from './applyJsonPatch.ts';
import { applyMergePatch, isObject } from './applyMergePatch.ts';
import { applyStrategicMergePatch } from './applyStrategicMergePatch.ts';
import { goMapText } from './goMapText.ts';
import { PatchError } from './PatchError.ts';

export const PATCH_TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
] as const;
export type PatchType = (typeof PATCH_TYPES)[number];

export interface PatchRequest {
  /** The object in the version that the path names; it is not changed. */
  readonly original: object;
  readonly apiVersion: string;
  readonly kind: string;
  readonly patchType: PatchType;
  readonly bytes: Uint8Array;
  readonly fieldValidation: FieldValidation;
}

/** The patch type of a request's Content-Type; throws ApiError UnsupportedMediaType for any other. */
export function parsePatchType(contentType: string | undefined): PatchType {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  const known = PATCH_TYPES.find((patchType) => patchType === type);
  if (known !== undefined) return known;
  throw new ApiError(
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${PATCH_TYPES.join(', ')}`,
  );
}

/**
 * Applies a patch and checks the fields of what comes out; the result is fresh. Throws ApiError: BadRequest for a patch that cannot be read, Invalid for one
 * that cannot be applied or whose outcome cannot be decoded.
 */
export function applyPatch(request: PatchRequest): DecodedObject {
  const { apiVersion, kind, patchType, bytes } = request;
  const schema = kindSchema(apiVersion, kind);
  if (schema === undefined) throw new Error(`no schema for ${kind} in ${apiVersion}`);
  const strategic = patchType === 'application/strategic-merge-patch+json';
  const decoded = decodeJson(new TextDecoder().decode(bytes));
  if (decoded.error !== undefined) {
    throw new ApiError('BadRequest', strategic ? decoded.error : `error decoding patch: ${decoded.error}`);
  }
  // A strategic merge uses its patch up.
  const shown = strategic ? goMapText(decoded.value) : undefined;
  const patchErrors =
    patchType === 'application/json-patch+json'
      ? jsonPatchErrors(decoded.value, decoded.strictErrors)
      : decoded.strictErrors;
  const result = patched(structuredClone(request.original), decoded.value, request, schema);
  const badValue = shown ?? JSON.stringify(result);
  if (!isObject(result)) throw invalidPatch(badValue, 'patch does not leave an object');
  const check = checkFields({
    object: result,
    strictErrors: patchErrors,
    schema,
    mode: request.fieldValidation,
    ...(strategic && { words: 'converter' }),
  });
  if (check.refused !== undefined) throw invalidPatch(badValue, check.refused);
  return { object: { ...result, apiVersion, kind }, warnings: check.warnings };
}

function patched(original: unknown, patch: unknown, request: PatchRequest, schema: Schema): unknown {
  switch (request.patchType) {
    case 'application/json-patch+json':
      return applyJsonPatch(original, requireOperations(patch));
    case 'application/merge-patch+json':
      if (!isObject(patch)) throw new ApiError('BadRequest', `error decoding patch: ${notAMap(patch)}`);
      return applyMergePatch(original, patch);
    case 'application/strategic-merge-patch+json':
      if (!isObject(patch)) throw new ApiError('BadRequest', notAMap(patch));
      return strategicResult(original as Record<string, unknown>, patch, schema);
  }
}

function strategicResult(original: Record<string, unknown>, patch: Record<string, unknown>, schema: Schema): unknown {
  try {
    return applyStrategicMergePatch(original, patch, schema);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw error.unprocessable
      ? rejectedPatch(error)
      : new ApiError('BadRequest', error.message, undefined, { cause: error });
  }
}

function requireOperations(patch: unknown): readonly unknown[] {
  const wrong = Array.isArray(patch) ? patch.findIndex((operation) => !isObject(operation)) : -1;
  if (Array.isArray(patch) && wrong < 0) return patch;
  const what = Array.isArray(patch)
    ? `${wordOf(patch[wrong])} into Go value of type handlers.jsonPatchOp`
    : `${wordOf(patch)} into Go value of type []handlers.jsonPatchOp`;
  throw new ApiError('BadRequest', `error decoding patch: json: cannot unmarshal ${what}`);
}

const OPERATION_FIELDS = new Set(['op', 'path', 'from', 'value']);

function jsonPatchErrors(patch: unknown, strictErrors: readonly string[]): string[] {
  const unknown = (Array.isArray(patch) ? patch : []).flatMap((operation: unknown, index) =>
    Object.keys(isObject(operation) ? operation : {})
      .filter((name) => !OPERATION_FIELDS.has(name))
      .map((name) => `unknown field ${JSON.stringify(`[${index}].${name}`)}`),
  );
  return [...strictErrors, ...unknown].map((error) => `json patch ${error}`);
}

function notAMap(patch: unknown): string {
  return `json: cannot unmarshal ${wordOf(patch)} into Go value of type map[string]interface {}`;
}

function wordOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function invalidPatch(badValue: string, detail: string): ApiError {
  return invalid('', '', [{ type: 'FieldValueInvalid', field: 'patch', badValue, detail }]);
}
