import type { FieldError } from '../../../objects/FieldError.ts';
import type { RequestBudget } from '../../../objects/RequestBudget.ts';
import { childPath, indexPath } from '../schema/fieldPath.ts';
import { type JsonSchemaProps, valuesSchema } from '../schema/JsonSchemaProps.ts';
import { checkNumber, isInt64 } from './checkNumber.ts';
import { childOf, type Correlation, isUnchanged, itemOf } from './Correlation.ts';
import { matchesPattern } from './patterns.ts';
import { isKnownFormat, matchesFormat, supportedFormat } from './formats.ts';
import { isInEnum } from './enums.ts';
import * as errors from './valueErrors.ts';
import { ValueResult } from './ValueResult.ts';

/** How a schema is read: as it validates objects, or as it validates its own defaults, which are not held to `x-kubernetes-int-or-string`. */
export type Reading = 'objects' | 'defaults';

export interface ValueValidation {
  /** Where the value stands: the field of every error starts with it, and no message shows it. */
  readonly base?: string;
  readonly reading?: Reading;
  /** The value before an update. What did not change may stay as it is, even if it is invalid (CRDValidationRatcheting). */
  readonly old?: { readonly value: unknown };
  /** What the request may take. */
  readonly budget: RequestBudget;
}

/** The steps of checking one value, and of handing one error on. */
const VALUE_STEPS = 10;
const ERROR_STEPS = 30;

/**
 * Validates a JSON value by a schema: the errors, their order and their words are those of go-openapi's `validate` as apiextensions-apiserver reports them.
 * Patterns run in time linear in the text. Rules in CEL, list types and embedded resources are validated elsewhere.
 * Throws BudgetExhaustedError for what would take too long. Pure but for the budget.
 */
export function validateValue(
  value: unknown,
  schema: JsonSchemaProps,
  { base = '', reading = 'objects', old, budget }: ValueValidation,
): FieldError[] {
  const correlation = old === undefined ? undefined : { value, old: old.value, schema };
  return new Validator(base, reading, budget)
    .ratcheted({ value, schema, path: '', correlation })
    .errors.map(({ error }) => error);
}

interface Subject {
  readonly value: unknown;
  readonly schema: JsonSchemaProps;
  readonly path: string;
  /** The old value that belongs to this one, if there is one. */
  readonly correlation: Correlation | undefined;
}

class Validator {
  readonly #base: string;
  readonly #reading: Reading;
  readonly #budget: RequestBudget;

  constructor(base: string, reading: Reading, budget: RequestBudget) {
    this.#base = base;
    this.#reading = reading;
    this.#budget = budget;
  }

  /** Validates, and forgives everything if the value did not change. */
  ratcheted(subject: Subject): ValueResult {
    const result = this.#validate(subject);
    if (!result.isValid && isUnchanged(subject.correlation)) result.forgive();
    return result;
  }

  #validate(subject: Subject): ValueResult {
    this.#budget.spend(VALUE_STEPS);
    const result = this.#check(subject);
    this.#budget.spend(result.errors.length * ERROR_STEPS);
    return result;
  }

  #check(subject: Subject): ValueResult {
    const { value } = subject;
    if (value === null || value === undefined) return this.#checkType(subject).merge(this.#checkEnum(subject));
    const result = new ValueResult();
    const run = (check: (subject: Subject) => ValueResult) => {
      result.merge(check(subject));
      result.matchCount += 1;
    };
    if (this.#types(subject).length > 0 || this.#format(subject) !== '') run((one) => this.#checkType(one));
    run((one) => this.#checkCombinations(one));
    if (typeof value === 'string') run((one) => this.#checkText(one, value));
    if (typeof value === 'string' && isKnownFormat(this.#format(subject))) run((one) => this.#checkFormat(one, value));
    if (typeof value === 'number') run((one) => checkNumber(value, one.schema, this.#place(one)));
    if (Array.isArray(value)) run((one) => this.#checkList(one, value));
    run((one) => this.#checkEnum(one));
    if (isObject(value)) run((one) => this.#checkObject(one, value));
    result.matchCount += 1;
    return result;
  }

  #place({ path }: Subject): errors.Place {
    return { base: this.#base, path };
  }

  #types({ schema }: Subject): readonly string[] {
    if (schema.intOrString && this.#reading === 'objects') return ['integer', 'string'];
    return schema.type === undefined ? [] : [schema.type];
  }

  #format({ schema }: Subject): string {
    return this.#reading === 'objects' ? supportedFormat(schema) : (schema.format ?? '');
  }

  #checkType(subject: Subject): ValueResult {
    const { value, schema } = subject;
    const result = new ValueResult();
    result.matchCount = 1;
    const types = this.#types(subject);
    if (value === null || value === undefined)
      return types.length === 0 || schema.nullable
        ? result
        : errors.wrongType(this.#place(subject), types.join(','), 'null');
    const actual = typeOf(value);
    const fits = types.includes(actual.type) || (actual.type === 'integer' && types.includes('number'));
    const format = this.#format(subject);
    const isTextual = typeof value === 'string' || Array.isArray(value);
    if (format !== '' && !isTextual && !fits && actual.format !== format)
      return errors.wrongType(this.#place(subject), format, actual.format);
    if (format !== '' && isTextual && !types.includes('number') && !types.includes('integer')) return result;
    return fits ? result : errors.wrongType(this.#place(subject), types.join(','), actual.type);
  }

  #checkEnum(subject: Subject): ValueResult {
    const values = subject.schema.enum ?? [];
    const spend = (steps: number) => this.#budget.spend(steps);
    if (values.length === 0 || isInEnum(values, subject.value, spend)) return new ValueResult();
    // The error names all values.
    spend(values.length);
    this.#budget.keepCopy(values);
    return errors.notInEnum(this.#place(subject), subject.value, values);
  }

  #checkText(subject: Subject, text: string): ValueResult {
    const { maxLength, minLength, pattern } = subject.schema;
    const length = maxLength === undefined && minLength === undefined ? 0 : lengthOf(text);
    if (maxLength !== undefined && length > maxLength) return errors.tooLongText(this.#place(subject), maxLength);
    if (minLength !== undefined && length < minLength)
      return errors.sentence(this.#place(subject), text, `should be at least ${minLength} chars long`);
    if (pattern !== undefined && !matchesPattern(pattern, text, this.#budget))
      return errors.sentence(this.#place(subject), text, `should match '${pattern}'`);
    return new ValueResult();
  }

  #checkFormat(subject: Subject, text: string): ValueResult {
    const format = this.#format(subject);
    return matchesFormat(format, text) ? new ValueResult() : errors.wrongType(this.#place(subject), format, text);
  }

  #checkList(subject: Subject, items: readonly unknown[]): ValueResult {
    const { schema, path, correlation } = subject;
    const result = new ValueResult();
    items.forEach((value, index) => {
      if (schema.items === undefined) return;
      const child = { value, schema: schema.items, path: indexPath(path, index) };
      result.merge(this.ratcheted({ ...child, correlation: itemOf(correlation, index) }));
    });
    const { minItems, maxItems } = schema;
    if (minItems !== undefined && items.length < minItems)
      result.merge(errors.sentence(this.#place(subject), items.length, `should have at least ${minItems} items`));
    if (maxItems !== undefined && items.length > maxItems)
      result.merge(errors.tooMany(this.#place(subject), 'items', items.length, maxItems));
    result.matchCount += 1;
    return result;
  }

  #checkObject(subject: Subject, object: Readonly<Record<string, unknown>>): ValueResult {
    const { schema, path } = subject;
    const result = this.#checkSize(subject, Object.keys(object).length);
    const names = Object.keys(object).sort();
    for (const name of names.filter((one) => !schema.properties?.has(one))) {
      const values = valuesSchema(schema);
      if (schema.additionalProperties === false)
        result.merge(errors.sentence({ base: this.#base, path: `${path}.${name}` }, '', 'is a forbidden property'));
      else if (values !== undefined) result.merge(this.#member(subject, name, object[name], values, `${path}.${name}`));
    }
    for (const [name, property] of schema.properties ?? [])
      if (Object.hasOwn(object, name))
        result.merge(this.#member(subject, name, object[name], property, childPath(path, name)));
    for (const name of schema.required ?? [])
      if (!Object.hasOwn(object, name)) result.merge(errors.missing(this.#place(subject), name));
    return result;
  }

  #checkSize(subject: Subject, size: number): ValueResult {
    const { minProperties, maxProperties } = subject.schema;
    const result = new ValueResult();
    if (minProperties !== undefined && size < minProperties)
      result.merge(errors.sentence(this.#place(subject), size, `should have at least ${minProperties} properties`));
    if (maxProperties !== undefined && size > maxProperties)
      result.merge(errors.tooMany(this.#place(subject), 'properties', size, maxProperties));
    return result;
  }

  #member(parent: Subject, name: string, value: unknown, schema: JsonSchemaProps, path: string): ValueResult {
    // The versions of the old and the new object are the same here, although the client may have sent another one.
    const isTypeMeta = parent.path === '' && (name === 'kind' || name === 'apiVersion');
    const correlation = isTypeMeta ? undefined : childOf(parent.correlation, name);
    return this.ratcheted({ value, schema, path, correlation });
  }

  #checkCombinations(subject: Subject): ValueResult {
    const result = new ValueResult();
    this.#checkAnyOf(subject, result);
    this.#checkOneOf(subject, result);
    this.#checkAllOf(subject, result);
    const { not } = subject.schema;
    if (not !== undefined && this.#validate({ ...subject, schema: not }).isValid)
      result.merge(this.#refusal(subject, 'must not validate the schema (not)'));
    result.matchCount += 1;
    return result;
  }

  #checkAnyOf(subject: Subject, result: ValueResult): void {
    const { anyOf = [] } = subject.schema;
    if (anyOf.length === 0) return;
    let best: ValueResult | undefined;
    for (const schema of anyOf) {
      const found = this.#validate({ ...subject, schema });
      if (found.isValid) {
        result.merge(found);
        return;
      }
      best = betterOf(best, found);
    }
    result.merge(this.#refusal(subject, 'must validate at least one schema (anyOf)'));
    if (best !== undefined) result.merge(best);
  }

  #checkOneOf(subject: Subject, result: ValueResult): void {
    const { oneOf = [] } = subject.schema;
    if (oneOf.length === 0) return;
    const found = oneOf.map((schema) => this.#validate({ ...subject, schema }));
    const valid = found.filter((one) => one.isValid);
    const [only] = valid;
    if (valid.length === 1 && only !== undefined) {
      result.merge(only);
      return;
    }
    const count = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
    result.merge(this.#refusal(subject, `must validate one and only one schema (oneOf). ${count}`));
    const best = valid.length === 0 ? found.reduce<ValueResult | undefined>(betterOf, undefined) : undefined;
    if (best !== undefined) result.merge(best);
  }

  #checkAllOf(subject: Subject, result: ValueResult): void {
    const { allOf = [] } = subject.schema;
    const found = allOf.map((schema) => this.#validate({ ...subject, schema }));
    for (const one of found) result.merge(one);
    const validCount = found.filter((one) => one.isValid).length;
    if (validCount === found.length) return;
    const none = validCount === 0 ? '. None validated' : '';
    result.merge(this.#refusal(subject, `must validate all the schemas (allOf)${none}`));
  }

  #refusal(subject: Subject, words: string): ValueResult {
    return errors.unplaced(this.#place(subject), `${JSON.stringify(subject.path)} ${words}`);
  }
}

/** Of results that all have errors, the first with the most checks. */
function betterOf(best: ValueResult | undefined, other: ValueResult): ValueResult {
  return best === undefined || other.matchCount > best.matchCount ? other : best;
}

function typeOf(value: unknown): { readonly type: string; readonly format: string } {
  if (typeof value === 'string') return { type: 'string', format: '' };
  if (typeof value === 'boolean') return { type: 'boolean', format: '' };
  if (typeof value === 'number')
    return isInt64(value) ? { type: 'integer', format: 'int64' } : { type: 'number', format: 'float64' };
  return { type: Array.isArray(value) ? 'array' : 'object', format: '' };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Counts code points, as Go counts runes. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
