import { badRequest, invalid } from '../../objects/apiErrors.ts';
import { type FieldError, fieldErrorMessage } from '../../objects/FieldError.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import type { RequestBudget } from '../../objects/RequestBudget.ts';
import type { CustomSchema } from '../../registry/apiextensions/CustomSchema.ts';
import { decodeMetadata } from '../../registry/apiextensions/schema/embeddedMetadata.ts';
import type { FieldCheck, FieldValidation } from './checkFields.ts';
import { strictWarnings } from './strictWarnings.ts';
import { textOf } from '../../registry/validation/fieldsOf.ts';
import { parseApiVersion } from './kindSchema.ts';

export interface CustomFieldCheckInput {
  /** Changed in place. */
  readonly object: Record<string, unknown>;
  /** Strict errors that the decoder of the text has already found. */
  readonly strictErrors: readonly string[];
  readonly mode: FieldValidation;
  /** What the path asks for. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: CustomSchema;
  /** What the request may take. */
  readonly budget: RequestBudget;
  /** True for server-side apply, which keeps nulls where others drop them. */
  readonly keepsNulls?: boolean;
  /** True for the result of a patch. Its version is checked with its kind, as validation does, and not while it is decoded. */
  readonly isPatched?: boolean;
}

/** The steps of looking at one value to drop it, if it is null or unknown. */
const STEPS_PER_VALUE = 3;

/**
 * Changes a custom object to the form that Kubernetes would decode: nulls that may not be are dropped, defaults are filled in, and what the schema does not know is removed. As with built-in kinds, the
 * mode decides about unknown and duplicate fields. Throws ApiError BadRequest for another version, Invalid for another kind, and for a patch Invalid for both.
 */
export function checkCustomFields(input: CustomFieldCheckInput): FieldCheck {
  const { object, strictErrors, mode, schema, budget, keepsNulls = false } = input;
  const decoded = decodeMetadata(object['metadata'] ?? null, false);
  if (decoded.status === 'failed') return { refused: decoded.error };
  object['metadata'] = decoded.metadata;
  checkVersionAndKind(input);
  if (!keepsNulls) schema.dropNulls(object);
  schema.applyDefaults(object, budget);
  budget.spendOnEach(object, STEPS_PER_VALUE);
  const pruned = schema.prune(object);
  const coerced = schema.coerce(object);
  if (coerced.status === 'refused') return { refused: fieldErrorMessage(coerced.error satisfies FieldError) };
  if (mode === 'Ignore') return { warnings: [] };
  const unknown = [...decoded.unknown.map((path) => `metadata.${path}`), ...pruned, ...coerced.removed];
  const problems = [...strictErrors, ...unknown.map((path) => `unknown field ${goQuote(path)}`)];
  if (mode === 'Warn' || problems.length === 0) return { warnings: strictWarnings(problems) };
  return { refused: `strict decoding error: ${problems.join(', ')}` };
}

function checkVersionAndKind({ object, apiVersion, kind, isPatched = false }: CustomFieldCheckInput): void {
  const givenVersion = textOf(object['apiVersion']);
  const givenKind = textOf(object['kind']);
  if (givenVersion !== apiVersion && !isPatched)
    throw badRequest(
      `the API version in the data (${givenVersion}) does not match the expected API version (${apiVersion})`,
    );
  const errors = [...mismatch('kind', givenKind, kind), ...mismatch('apiVersion', givenVersion, apiVersion)];
  if (errors.length === 0) return;
  const { group } = parseApiVersion(givenVersion);
  const { name = '' } = object['metadata'] as { readonly name?: string };
  throw invalid(group === '' ? givenKind : `${givenKind}.${group}`, name, errors);
}

function mismatch(field: string, given: string, expected: string): FieldError[] {
  return given === expected
    ? []
    : [{ type: 'FieldValueInvalid', field, badValue: given, detail: `must be ${expected}` }];
}
