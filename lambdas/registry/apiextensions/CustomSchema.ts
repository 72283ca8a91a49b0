import { type FieldError, fieldErrorMessage } from '../../objects/FieldError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { RequestBudget } from '../../objects/RequestBudget.ts';
import { evaluateRules, hasRules } from './rules/evaluateRules.ts';
import { applyDefaults, dropNulls } from './schema/applyDefaults.ts';
import { type Coercion, coerceEmbedded, validateEmbedded } from './schema/embeddedResources.ts';
import type { JsonSchemaProps } from './schema/JsonSchemaProps.ts';
import { parseSchema } from './schema/parseSchema.ts';
import { pruneFields } from './schema/pruneFields.ts';
import { validateListTypes } from './schema/validateListTypes.ts';
import { validateValue } from './values/validateValue.ts';

/**
 * What one version of a custom resource demands of its objects, compiled once for a definition. The functions that take a draft change it. Those whose work grows with more than the object draw on the
 * request's budget, and throw BudgetExhaustedError.
 */
export interface CustomSchema {
  readonly schema: JsonSchemaProps;
  /** Removes the fields that are not specified; apiVersion, kind and metadata of the object stay. Returns the removed paths, sorted: `spec.a[0].b`. */
  prune(draft: object): string[];
  /** Reads apiVersion, kind and metadata of embedded resources as Go's types; see `coerceEmbedded`. Kubernetes answers 400 to a refusal. */
  coerce(draft: object, dropMalformed?: boolean): Coercion;
  /** Removes nulls that may be neither null nor defaulted. Kubernetes does so for all requests but server-side apply. */
  dropNulls(draft: object): void;
  /** Fills in the defaults, also where a null may not be. Where the budget is exhausted, those before stay. */
  applyDefaults(draft: object, budget: RequestBudget): void;
  /** Returns the errors of an object by its schema, embedded resources, list types and CEL rules included, in upstream's order and words. With `old`, what did not change may stay invalid. */
  validate(object: KubernetesObject, old: KubernetesObject | undefined, budget: RequestBudget): FieldError[];
  /** `validate`, with the warnings for what rules refuse and may stay, since it did not change. Kubernetes sends them with its answer. */
  judge(object: KubernetesObject, old: KubernetesObject | undefined, budget: RequestBudget): Judgement;
}

export interface Judgement {
  readonly errors: FieldError[];
  /** `spec.n: Invalid value: 7: even` */
  readonly warnings: string[];
}

export interface SchemaOptions {
  /** True for a definition that preserves unknown fields as a whole, as definitions of v1beta1 did. */
  readonly preserveUnknownFields?: boolean;
}

/** Compiles the JSON of a version's `openAPIV3Schema`, which `validateSchema` has accepted. Pure; never throws. */
export function compileSchema(json: unknown, { preserveUnknownFields = false }: SchemaOptions = {}): CustomSchema {
  const schema = parseSchema(json);
  return {
    schema,
    prune: (draft) => (preserveUnknownFields ? [] : pruneFields(draft, schema, true)),
    coerce: (draft, dropMalformed) => coerceEmbedded(draft, schema, dropMalformed),
    dropNulls: (draft) => dropNulls(draft, schema),
    applyDefaults: (draft, budget) => applyDefaults(draft, schema, budget),
    validate: (object, old, budget) => judgeObject(object, old, schema, budget).errors,
    judge: (object, old, budget) => judgeObject(object, old, schema, budget),
  };
}

/** The steps that looking at one value takes beside its schema's checks: its path, embedded resources, and the lists that hold it, also in the old object. */
const STEPS_PER_VALUE = 2;

function judgeObject(
  object: KubernetesObject,
  old: KubernetesObject | undefined,
  schema: JsonSchemaProps,
  budget: RequestBudget,
): Judgement {
  budget.spendOnEach(object, STEPS_PER_VALUE);
  if (old !== undefined) budget.spendOnEach(old, STEPS_PER_VALUE);
  const hadListErrors = old !== undefined && validateListTypes(old, schema).length > 0;
  const errors = [
    ...validateValue(object, schema, { budget, ...(old && { old: { value: old } }) }),
    ...validateEmbedded(object, schema, ''),
    ...(hadListErrors ? [] : validateListTypes(object, schema)),
  ];
  if (errors.some(({ type }) => BLOCKING.has(type)))
    return { errors: hasRules(schema) ? [...errors, UNCHECKED] : errors, warnings: [] };
  const before = old === undefined ? {} : { old: { value: old }, ratchets: true };
  const verdict = evaluateRules(schema, { value: object, isResource: true, budget, ...before });
  return { errors: [...errors, ...verdict.errors], warnings: verdict.warnings.map(fieldErrorMessage) };
}

/** Errors after which rules may not see the types that they rely on. */
const BLOCKING = new Set<FieldError['type']>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const UNCHECKED: FieldError = {
  type: 'FieldValueInvalid',
  field: '<nil>',
  badValue: null,
  detail:
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};
