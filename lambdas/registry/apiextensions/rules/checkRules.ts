import type { FieldError } from '../../../objects/FieldError.ts';
import { MOST } from '../../cel/cost/Estimate.ts';
import { forbidden, invalid } from '../../validation/fieldErrors.ts';
import { childPath, indexPath, keyPath } from '../schema/fieldPath.ts';
import type { JsonSchemaProps, ValidationRule } from '../schema/JsonSchemaProps.ts';
import { type CompiledRule, compileRule } from './compileRule.ts';
import { MAX_REQUEST_BYTES, type SchemaType, schemaType } from './SchemaType.ts';

/** The most that one expression may cost, counted for all values that it can be asked about, and all expressions of a schema together. */
const MAX_EXPRESSION_COST = 10_000_000;
const MAX_SCHEMA_COST = 100_000_000;
const MAX_SHOWN = 4;

/**
 * Returns the errors of the rules of a structural schema: expressions that do not compile, and those that could cost too much. `hasErrors` tells of a node
 * whose schema has other errors, or one within it: rules there are not looked at. Follows upstream's CEL part of
 * `ValidateCustomResourceDefinitionOpenAPISchema`. Pure.
 */
export function checkRules(schema: JsonSchemaProps, path: string, hasErrors: (path: string) => boolean): FieldError[] {
  const checker = new RuleChecker(hasErrors);
  const errors = checker.check(schema, { path, maxCount: 1, uncorrelated: undefined, isRoot: true });
  return [...errors, ...checker.totalErrors(path)];
}

interface Place {
  readonly path: string;
  /** How often values of this schema can be in an object; absent: nothing limits that but the size of a request. */
  readonly maxCount: number | undefined;
  /** The nearest schema around this one of whose values the old ones cannot be found. */
  readonly uncorrelated: string | undefined;
  readonly isRoot: boolean;
}

class RuleChecker {
  readonly #hasErrors: (path: string) => boolean;
  #total = 0;
  #expensive: { readonly path: string; readonly cost: number }[] = [];

  constructor(hasErrors: (path: string) => boolean) {
    this.#hasErrors = hasErrors;
  }

  check(schema: JsonSchemaProps, place: Place): FieldError[] {
    const maxCount = place.maxCount === undefined ? undefined : multiplyCount(place.maxCount, elementCount(schema));
    const child = (one: JsonSchemaProps, path: string, uncorrelated = place.uncorrelated) =>
      this.check(one, { path, maxCount, uncorrelated, isRoot: false });
    // The members of a map are found by their keys, also in an atomic one. Items are found by theirs in a list that is a map.
    const inList = schema.listType === 'map' ? place.uncorrelated : (place.uncorrelated ?? place.path);
    return [
      ...(typeof schema.additionalProperties === 'object'
        ? child(schema.additionalProperties, childPath(place.path, 'additionalProperties'))
        : []),
      ...[...(schema.properties ?? [])].flatMap(([name, property]) =>
        child(property, keyPath(childPath(place.path, 'properties'), name)),
      ),
      ...(schema.items === undefined ? [] : child(schema.items, childPath(place.path, 'items'), inList)),
      ...this.#checkNode(schema, place),
    ];
  }

  #checkNode(schema: JsonSchemaProps, place: Place): FieldError[] {
    const { validations = [] } = schema;
    if (validations.length === 0 || this.#hasErrors(place.path)) return [];
    const field = childPath(place.path, 'x-kubernetes-validations');
    const self = schemaType(schema, place.isRoot || schema.embeddedResource === true);
    if (self === undefined) {
      const detail =
        'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
      return [{ type: 'InternalError', field, detail }];
    }
    return validations.flatMap((rule, index) =>
      this.#checkRule(compileRule(rule, self), self, place, indexPath(field, index)),
    );
  }

  #checkRule(compiled: CompiledRule, self: SchemaType, { maxCount, uncorrelated }: Place, at: string): FieldError[] {
    const { rule, error, expression, message, messageError, usesOldSelf } = compiled;
    const count = maxCount ?? Math.floor(MAX_REQUEST_BYTES / (self.minSize + 1));
    const cost = multiplyCount(expression?.maxCost ?? 0, count);
    return [
      ...this.#observe('rule', cost, `${at}.rule`),
      ...(error === undefined ? [] : [invalid(`${at}.rule`, goRule(rule), error)]),
      ...(messageError === undefined ? [] : [invalid(`${at}.messageExpression`, goRule(rule), messageError)]),
      ...(message === undefined ? [] : this.#observe('messageExpression', message.maxCost, `${at}.messageExpression`)),
      ...(usesOldSelf && uncorrelated !== undefined
        ? [
            invalid(
              `${at}.rule`,
              rule.rule,
              `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`,
            ),
          ]
        : []),
      ...(!usesOldSelf && rule.optionalOldSelf !== undefined
        ? [invalid(`${at}.optionalOldSelf`, rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule')]
        : []),
    ];
  }

  /** Counts an expression's cost, and returns an error if it alone is too much. */
  #observe(what: string, cost: number, path: string): FieldError[] {
    this.#total = Math.min(this.#total + cost, MOST);
    if (cost >= MAX_SCHEMA_COST / 100) {
      this.#expensive.push({ path, cost });
      this.#expensive = this.#expensive.sort((a, b) => b.cost - a.cost).slice(0, MAX_SHOWN);
    }
    if (cost <= MAX_EXPRESSION_COST) return [];
    return [forbidden(path, excess(`estimated ${what} cost`, cost / MAX_EXPRESSION_COST))];
  }

  totalErrors(path: string): FieldError[] {
    if (this.#total <= MAX_SCHEMA_COST) return [];
    const detail = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#expensive.map((one) => forbidden(one.path, detail)),
      forbidden(path, excess(what, this.#total / MAX_SCHEMA_COST)),
    ];
  }
}

function excess(what: string, factor: number): string {
  const shown = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  return `${what} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** How many values a value of the schema can hold: `undefined` if nothing limits it. */
function elementCount({ type, additionalProperties, maxProperties, maxItems }: JsonSchemaProps): number | undefined {
  const limit = (value: number | undefined) => (value === undefined ? undefined : Math.max(0, value));
  if (type === 'array') return limit(maxItems);
  return type === 'object' && additionalProperties !== undefined ? limit(maxProperties) : 1;
}

function multiplyCount(a: number, b: number): number;
function multiplyCount(a: number, b: number | undefined): number | undefined;
function multiplyCount(a: number, b: number | undefined): number | undefined {
  return b === undefined ? undefined : Math.min(a * b, MOST);
}

/** A rule as Go prints it in errors: by the names of its internal fields. */
function goRule(rule: ValidationRule): Readonly<Record<string, unknown>> {
  return {
    Rule: rule.rule,
    Message: rule.message,
    MessageExpression: rule.messageExpression,
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath,
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}
