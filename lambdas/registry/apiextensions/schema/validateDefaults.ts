import type { FieldError } from '../../../objects/FieldError.ts';
import { fieldErrorsMessage } from '../../../objects/FieldError.ts';
import { cloneJson } from '../../../objects/json.ts';
import type { RequestBudget } from '../../../objects/RequestBudget.ts';
import type { RuleSubject } from '../rules/evaluateRules.ts';
import { invalid } from '../../validation/fieldErrors.ts';
import { deepEqual } from '../values/deepEqual.ts';
import { validateValue } from '../values/validateValue.ts';
import { coerceEmbedded, validateEmbedded } from './embeddedResources.ts';
import { childPath, keyPath } from './fieldPath.ts';
import type { JsonSchemaProps } from './JsonSchemaProps.ts';
import { pruneFields } from './pruneFields.ts';

/** What defaults are judged with. */
export interface DefaultJudge {
  readonly budget: RequestBudget;
  /** Validates a default by the rules of its schema; the subject's path is the default's own. */
  readonly validateRules: (schema: JsonSchemaProps, subject: RuleSubject) => FieldError[];
}

/**
 * Returns the errors of the defaults in a structural schema: each must be valid and must not have unknown fields. Defaults within a default are not filled in for
 * that. Follows apiextensions-apiserver's `defaulting.ValidateDefaults`. Throws BudgetExhaustedError. Pure but for the budget.
 */
export function validateDefaults(schema: JsonSchemaProps, path: string, judge: DefaultJudge): FieldError[] {
  const root = { ...schema, embeddedResource: true };
  return validateNode(root, path, { resource: root, steps: [], isInsideMeta: false, judge });
}

interface Place {
  /** The nearest schema of a whole object around the node. */
  readonly resource: JsonSchemaProps;
  /** The way from that object to the node: a name, or 0 for an item. */
  readonly steps: readonly (string | 0)[];
  readonly isInsideMeta: boolean;
  readonly judge: DefaultJudge;
}

function validateNode(schema: JsonSchemaProps, path: string, around: Place): FieldError[] {
  const place = schema.embeddedResource ? { ...around, resource: schema, steps: [], isInsideMeta: false } : around;
  const errors =
    schema.default === undefined ? [] : validateDefault(schema.default, schema, childPath(path, 'default'), place);
  // Defaults within additionalProperties are looked at when their values are; upstream does the same.
  const itemErrors =
    schema.items === undefined
      ? []
      : validateNode(schema.items, childPath(path, 'items'), { ...place, steps: [...place.steps, 0] });
  const propertyErrors = [...(schema.properties ?? [])].flatMap(([name, property]) =>
    validateNode(property, keyPath(childPath(path, 'properties'), name), {
      ...place,
      steps: [...place.steps, name],
      isInsideMeta: place.isInsideMeta || (schema.embeddedResource === true && META_FIELDS.has(name)),
    }),
  );
  return [...errors, ...itemErrors, ...propertyErrors];
}

/** Each value of a default is copied, pruned, compared and read as metadata. */
const STEPS_PER_VALUE = 20;

const META_FIELDS = new Set(['apiVersion', 'kind', 'metadata']);

function validateDefault(value: unknown, schema: JsonSchemaProps, path: string, place: Place): FieldError[] {
  const { budget, validateRules } = place.judge;
  budget.spendOnEach(value, STEPS_PER_VALUE);
  const unknown =
    place.isInsideMeta || isPruned(value, schema) ? [] : [invalid(path, value, 'must not have unknown fields')];
  const metaErrors = place.isInsideMeta ? surroundingErrors(value, path, place) : resourceErrors(value, schema, path);
  if (metaErrors.length > 0) return [...unknown, ...metaErrors];
  const valueErrors = validateValue(value, schema, { base: path, reading: 'defaults', budget });
  if (valueErrors.length > 0) return [...unknown, ...valueErrors];
  return [...unknown, ...validateRules(schema, { value, path, isResource: schema === place.resource, budget })];
}

function isPruned(value: unknown, schema: JsonSchemaProps): boolean {
  const pruned = cloneJson(value);
  pruneFields(pruned, schema, schema.embeddedResource === true);
  return deepEqual(pruned, value);
}

function resourceErrors(value: unknown, schema: JsonSchemaProps, path: string): FieldError[] {
  const coercion = coerceEmbedded(cloneJson(value), schema);
  if (coercion.status === 'refused') return [{ ...coercion.error, field: childPath(path, coercion.error.field) }];
  return validateEmbedded(value, schema, path);
}

/** A default within metadata is judged by the object that it makes. */
function surroundingErrors(value: unknown, path: string, { resource, steps }: Place): FieldError[] {
  const inner = steps.reduceRight<unknown>((content, step) => (step === 0 ? [content] : { [step]: content }), value);
  const object = { apiVersion: 'validation/v1', kind: 'Validation', ...(inner as object) };
  const detail = (why: string) => [invalid(path, value, `must result in valid metadata: ${why}`)];
  const coercion = coerceEmbedded(cloneJson(object), resource);
  if (coercion.status === 'refused') return detail(fieldErrorsMessage([coercion.error]));
  const errors = validateEmbedded(object, resource, '');
  return errors.length === 0 ? [] : detail(fieldErrorsMessage(errors));
}
