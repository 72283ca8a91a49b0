import { ApiError } from '../../objects/ApiError.ts';
import { invalid } from '../../objects/apiErrors.ts';
import type { RequestBudget } from '../../objects/RequestBudget.ts';
import type { KubernetesRelease } from '../../objects/KubernetesRelease.ts';
import type { DecodedObject } from '../codec/decodeObject.ts';
import { DecodingBudget, limitsOf } from '../codec/DecodingBudget.ts';
import { MAX_REQUEST_BYTES } from '../request/readRequestBody.ts';
import { decodeJson } from '../codec/decodeJson.ts';
import { kindProblem } from '../codec/kindProblem.ts';
import { textOf } from '../../registry/validation/fieldsOf.ts';
import { goMapText } from '../../objects/go/goMapText.ts';
import { goQuote, MAX_QUOTED_LENGTH } from '../../objects/go/goQuote.ts';
import { cloneJson, shortJson } from '../../objects/json.ts';
import { checkCustomFields } from '../schema/checkCustomFields.ts';
import { checkFields, type FieldValidation } from '../schema/checkFields.ts';
import type { CustomSchema } from '../../registry/apiextensions/CustomSchema.ts';
import { requireKindSchema } from '../schema/kindSchema.ts';
import type { Schema } from '../schema/schemaOf.ts';
import { APPLY_TYPE } from './decodeConfiguration.ts';
import { applyJsonPatch, rejectedPatch } from './applyJsonPatch.ts';
import { isObject } from '../../objects/json.ts';
import { applyMergePatch } from './applyMergePatch.ts';
import { applyStrategicMergePatch } from './applyStrategicMergePatch.ts';
import { PatchError } from './PatchError.ts';

const PATCH_TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
] as const;
type PatchType = (typeof PATCH_TYPES)[number];
const CUSTOM_PATCH_TYPES: readonly PatchType[] = ['application/json-patch+json', 'application/merge-patch+json'];

/** The steps of copying one value and merging it. */
const STEPS_PER_VALUE = 3;

/** A JSON patch may hold more than an object: each of its 10,000 operations has up to four members of its own. The result of each patch must fit an object. */
const JSON_PATCH_LIMITS = { values: 65_000, characters: MAX_REQUEST_BYTES };

export interface PatchBody {
  readonly bytes: Uint8Array;
  /** The request's Content-Type, which names the type of patch. */
  readonly contentType: string | undefined;
  /** The version and kind that the path names. */
  readonly apiVersion: string;
  readonly kind: string;
  /** The release of Kubernetes whose fields are known; absent: the newest. */
  readonly release?: KubernetesRelease | undefined;
  readonly fieldValidation: FieldValidation;
  /** What the request may take. */
  readonly budget: RequestBudget;
  /** True for custom resources and their subresources, which know no strategic merge patches. */
  readonly isCustom?: boolean;
  /** The schema of the result, for a custom object. */
  readonly custom?: CustomSchema | undefined;
}

/**
 * Applies the patch to an object in the version of the path, which it leaves unchanged. Returns a new object, its fields checked. May be called again for a
 * newer object. Throws ApiError: Invalid for a patch that cannot be applied or whose result cannot be decoded, BadRequest for a malformed patch.
 */
export type ApplyPatch = (original: object) => DecodedObject;

/** Reads a patch. Throws ApiError: UnsupportedMediaType for an unknown type of patch, BadRequest for a patch that cannot be read. */
export function decodePatch(body: PatchBody): ApplyPatch {
  const patchType = parsePatchType(body);
  const schema = body.custom ?? requireKindSchema(body);
  const patch = decodeText(body, patchType);
  const { budget } = body;
  // Both are copied for each attempt.
  const copied = (original: object) => {
    budget.spendOnEach(original, STEPS_PER_VALUE);
    budget.spendOnEach(patch.value, STEPS_PER_VALUE);
    return cloneJson(original);
  };
  switch (patchType) {
    case 'application/json-patch+json': {
      const operations = requireOperations(patch.value);
      const strictErrors = jsonPatchErrors(operations, patch.strictErrors);
      return (original) =>
        decoded(applyJsonPatch(copied(original), cloneJson(operations), budget), strictErrors, body, schema);
    }
    case 'application/merge-patch+json': {
      if (!isObject(patch.value)) throw new ApiError('BadRequest', `error decoding patch: ${notAMap(patch.value)}`);
      return (original) =>
        decoded(applyMergePatch(copied(original), cloneJson(patch.value)), patch.strictErrors, body, schema);
    }
    case 'application/strategic-merge-patch+json': {
      // Go reads null as a map without members.
      const value = patch.value ?? {};
      if (!isObject(value)) throw new ApiError('BadRequest', notAMap(value));
      const ofKind = requireKindSchema(body);
      return (original) =>
        decoded(strategicResult(copied(original), value, ofKind), patch.strictErrors, body, ofKind, value);
    }
  }
}

function parsePatchType({ contentType, isCustom = false }: PatchBody): PatchType {
  const types: readonly PatchType[] = isCustom ? CUSTOM_PATCH_TYPES : PATCH_TYPES;
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  const known = types.find((patchType) => patchType === type);
  if (known !== undefined) return known;
  // The routes of built-in kinds list what they take, so a request with another type finds none. One handler serves all custom kinds.
  if (!isCustom) throw new ApiError('UnsupportedMediaType', '415: Unsupported Media Type', {});
  throw new ApiError(
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${[...types, APPLY_TYPE].join(', ')}`,
  );
}

function decodeText({ bytes, ...kind }: PatchBody, patchType: PatchType) {
  const text = decodeJson(
    new TextDecoder().decode(bytes),
    patchType === 'application/json-patch+json' ? { ...JSON_PATCH_LIMITS, budget: kind.budget } : limitsOf(kind),
  );
  if (text.error === undefined) return text;
  const strategic = patchType === 'application/strategic-merge-patch+json';
  throw new ApiError('BadRequest', strategic ? text.error : `error decoding patch: ${text.error}`);
}

/** Checks the result of a patch. For a strategic merge patch, Kubernetes' errors show the patch (`strategicPatch`) instead of the result. */
function decoded(
  result: unknown,
  strictErrors: readonly string[],
  body: PatchBody,
  schema: Schema | CustomSchema,
  strategicPatch?: object,
): DecodedObject {
  const { apiVersion, kind, fieldValidation, budget } = body;
  // Taken before the check, which changes the result.
  const shown = strategicPatch === undefined ? shortJson(result, MAX_QUOTED_LENGTH) : undefined;
  const refusal = (detail: string) => invalidPatch(shown ?? goMapText(strategicPatch), detail);
  new DecodingBudget(limitsOf({ apiVersion, kind, budget })).keepObject(result);
  if (!isObject(result)) throw refusal(notAMap(result));
  // A strategic merge patch is applied to the type itself, which has its kind whatever the patch says.
  const problem = strategicPatch === undefined && !('prune' in schema) ? wrongKind(result, body) : undefined;
  if (problem !== undefined) throw refusal(problem);
  const words = strategicPatch === undefined ? 'decoder' : 'converter';
  const check =
    'prune' in schema
      ? checkCustomFields({
          object: result,
          strictErrors,
          mode: fieldValidation,
          apiVersion,
          kind,
          schema,
          budget,
          isPatched: true,
        })
      : checkFields({ object: result, strictErrors, schema, mode: fieldValidation, budget, words });
  if (check.refused !== undefined) throw refusal(check.refused);
  result['apiVersion'] = apiVersion;
  result['kind'] = kind;
  return { object: result, warnings: check.warnings };
}

function wrongKind(result: Record<string, unknown>, { apiVersion, kind, release }: PatchBody): string | undefined {
  const given = { apiVersion: textOf(result['apiVersion']) || apiVersion, kind: textOf(result['kind']) || kind };
  return kindProblem(given, { apiVersion, kind }, release);
}

function strategicResult(original: object, patch: Record<string, unknown>, schema: Schema): unknown {
  try {
    return applyStrategicMergePatch(original as Record<string, unknown>, cloneJson(patch), schema);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw error.refusal === 'Invalid'
      ? rejectedPatch(error)
      : new ApiError(error.refusal, error.message, undefined, { cause: error });
  }
}

function requireOperations(patch: unknown): readonly Record<string, unknown>[] {
  const wrong = Array.isArray(patch) ? patch.findIndex((operation) => !isObject(operation)) : -1;
  if (Array.isArray(patch) && wrong < 0) return patch;
  const what = Array.isArray(patch)
    ? `${wordOf(patch[wrong])} into Go value of type handlers.jsonPatchOp`
    : `${wordOf(patch)} into Go value of type []handlers.jsonPatchOp`;
  throw new ApiError('BadRequest', `error decoding patch: json: cannot unmarshal ${what}`);
}

const OPERATION_FIELDS = new Set(['op', 'path', 'from', 'value']);

function jsonPatchErrors(operations: readonly object[], strictErrors: readonly string[]): string[] {
  const unknown = operations.flatMap((operation, index) =>
    Object.keys(operation)
      .filter((name) => !OPERATION_FIELDS.has(name))
      .map((name) => `unknown field ${goQuote(`[${index}].${name}`)}`),
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
