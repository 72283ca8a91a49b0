import { ApiError } from '../../objects/ApiError.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import type { RequestBudget } from '../../objects/RequestBudget.ts';
import { parseApiVersion } from './kindSchema.ts';
import { type Mismatch, pruneFields } from './pruneFields.ts';
import type { Schema } from './schemaOf.ts';
import { strictWarnings } from './strictWarnings.ts';

/** The `fieldValidation` of a request. Kubernetes' default is Warn. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

export interface FieldCheckInput {
  /** Changed in place. */
  readonly object: Record<string, unknown>;
  /** Strict errors that the decoder of the text has already found: `duplicate field "spec.replicas"`. */
  readonly strictErrors?: readonly string[];
  readonly schema: Schema;
  readonly mode: FieldValidation;
  /** What the request may take. */
  readonly budget: RequestBudget;
  /** Whose error messages a wrong type gets: the JSON decoder's (the default), or those of the converter for strategic merge patches. */
  readonly words?: 'decoder' | 'converter';
}

/** The result of the check: warnings for the client, or the reason to refuse the object, from which the caller makes an error. */
export type FieldCheck =
  | { readonly warnings: readonly string[]; readonly refused?: undefined }
  | { readonly refused: string; readonly warnings?: undefined };

/** The steps of comparing one value with the type of its field. */
const STEPS_PER_VALUE = 2;

/**
 * Changes an object to the form that Kubernetes would decode (see pruneFields). Unknown and duplicate fields are always dropped; the mode decides whether the
 * object is refused for them, the client is warned, or they are ignored. A value of a wrong type is always refused.
 */
export function checkFields({ object, strictErrors = [], schema, mode, budget, words }: FieldCheckInput): FieldCheck {
  budget.spendOnEach(object, STEPS_PER_VALUE);
  const pruned = pruneFields(object, schema);
  if (pruned.error !== undefined) {
    const mismatch = words === 'converter' ? pruned.mismatch : undefined;
    return { refused: mismatch === undefined ? pruned.error : converterError(mismatch) };
  }
  if (mode === 'Ignore') return { warnings: [] };
  const problems = [...strictErrors, ...pruned.unknown.map((path) => `unknown field ${goQuote(path)}`)];
  if (mode === 'Warn' || problems.length === 0) return { warnings: strictWarnings(problems) };
  return { refused: `strict decoding error: ${problems.join(', ')}` };
}

/** The error of apimachinery's converter from unstructured objects. It names no field. */
function converterError({ word, goType, isText }: Mismatch): string {
  const found = { array: 'slice', object: 'map', number: 'int64' }[word] ?? word;
  if (goType.startsWith('[]') && goType !== '[]uint8') return `cannot restore slice from ${found}`;
  if (goType.startsWith('map[') || goType === 'v1.ResourceList') return `cannot restore map from ${found}`;
  if (/^(?:string|bool|int32|int64)$/.test(goType)) return `unrecognized type: ${goType}`;
  return isText ? 'unrecognized type: string' : `cannot restore struct from: ${found}`;
}

/** The 400 for a body that cannot be decoded as the kind that the path asks for. */
export function cannotBeHandled(apiVersion: string, kind: string, expectedKind: string, why: string): ApiError {
  const { version } = parseApiVersion(apiVersion);
  return new ApiError(
    'BadRequest',
    `${kind} in version ${goQuote(version)} cannot be handled as a ${expectedKind}: ${why}`,
  );
}
