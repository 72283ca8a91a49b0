import type { FieldError } from '../../../objects/FieldError.ts';
import { OMITTED_VALUE } from '../../../objects/FieldError.ts';
import type { RequestBudget } from '../../../objects/RequestBudget.ts';
import { CelError, CelOptional, type CelResult } from '../../cel/evaluate/CelValue.ts';
import { COST_EXCEEDED, evaluate, type Variables } from '../../cel/evaluate/evaluate.ts';
import { childPath, indexPath, keyPath } from '../schema/fieldPath.ts';
import { findFieldPath } from '../schema/findFieldPath.ts';
import { type JsonSchemaProps, valuesSchema } from '../schema/JsonSchemaProps.ts';
import { childOf, type Correlation, isUnchanged, itemOf } from '../values/Correlation.ts';
import { listMapKey } from '../values/listMapKey.ts';
import { type CompiledExpression, type CompiledRule, compileRule } from './compileRule.ts';
import { schemaType } from './SchemaType.ts';
import { toCelValue } from './toCelValue.ts';

/** What one expression, and all expressions for one object, may cost; in cel-go's units. */
const EXPRESSION_LIMIT = 1_000_000;
const OBJECT_LIMIT = 10_000_000;
const MAX_MESSAGE_BYTES = 5 * 1024;

export interface RuleSubject {
  readonly value: unknown;
  /** The value before; absent if there was none. */
  readonly old?: { readonly value: unknown };
  /** True for a whole object: rules see apiVersion, kind and metadata's names. */
  readonly isResource: boolean;
  readonly path?: string;
  /** True if what did not change may stay as it is, although a rule refuses it. */
  readonly ratchets?: boolean;
  /** What the request may take. Kubernetes' limits for expressions and for all rules of an object hold besides. */
  readonly budget: RequestBudget;
}

export interface RuleVerdict {
  readonly errors: readonly FieldError[];
  /** The errors of what did not change, which may therefore stay. */
  readonly warnings: readonly FieldError[];
}

/**
 * Returns the errors of the rules of a schema for a value, in upstream's order and words. Rules that compare with the old value are passed over where there is
 * none. The cost of all rules together is limited, so the time is, and draws on the request's budget. Rules are compiled when they are first needed, once for a schema. Follows
 * apiextensions-apiserver's `cel.Validator`.
 */
export function evaluateRules(schema: JsonSchemaProps, subject: RuleSubject): RuleVerdict {
  const { value, old, isResource, path = '', ratchets = false, budget } = subject;
  if (!hasRules(schema)) return { errors: [], warnings: [] };
  const evaluation = new RuleEvaluation(budget);
  const correlation = ratchets && old !== undefined ? { value, old: old.value, schema } : undefined;
  evaluation.visit(schema, { value, old: old?.value, isResource, path, correlation, parent: undefined });
  return evaluation;
}

interface Node {
  readonly value: unknown;
  /** `undefined` or `null`: there is no old value here. */
  readonly old: unknown;
  readonly isResource: boolean;
  readonly path: string;
  readonly correlation: Correlation | undefined;
  /** The nearest value around this one that has an old one. */
  readonly parent: Correlation | undefined;
}

class RuleEvaluation {
  readonly errors: FieldError[] = [];
  readonly warnings: FieldError[] = [];
  /** What the rules of this object may still cost. */
  #left = OBJECT_LIMIT;
  readonly #budget: RequestBudget;

  constructor(budget: RequestBudget) {
    this.#budget = budget;
  }

  /** Evaluates the rules of a value and of everything in it, until they have cost too much. */
  visit(schema: JsonSchemaProps, node: Node): void {
    if (this.#left < 0 || node.value === null || node.value === undefined || !hasRules(schema)) return;
    this.#evaluateOwn(schema, schema, node);
    for (const part of schema.allOf ?? []) this.#visitPart(part, schema, node);
    if (Array.isArray(node.value)) this.#visitItems(schema, node, node.value);
    else if (isObject(node.value)) this.#visitMembers(schema, node, node.value);
  }

  /** Rules under `allOf` see values through the schema around it. */
  #visitPart(part: JsonSchemaProps, schema: JsonSchemaProps, node: Node): void {
    this.#evaluateOwn(part, schema, { ...node, correlation: undefined });
  }

  #visitItems(schema: JsonSchemaProps, node: Node, items: readonly unknown[]): void {
    const { items: itemSchema } = schema;
    if (itemSchema === undefined || !hasRules(itemSchema)) return;
    const oldItems = new Map<string, unknown>();
    if (schema.listType === 'map' && Array.isArray(node.old))
      for (const item of node.old) oldItems.set(listMapKey(schema, item), item);
    items.forEach((value, index) => {
      const old = schema.listType === 'map' ? oldItems.get(listMapKey(schema, value)) : undefined;
      this.visit(
        itemSchema,
        this.#child(node, value, old, indexPath(node.path, index), itemSchema, itemOf(node.correlation, index)),
      );
    });
  }

  #visitMembers(schema: JsonSchemaProps, node: Node, object: Readonly<Record<string, unknown>>): void {
    const old = isObject(node.old) ? node.old : {};
    for (const name of Object.keys(object).sort()) {
      const property = schema.properties?.get(name);
      const member = property ?? valuesSchema(schema);
      if (member === undefined) continue;
      const path = property === undefined ? keyPath(node.path, name) : childPath(node.path, name);
      const oldValue = Object.hasOwn(old, name) ? old[name] : undefined;
      this.visit(member, this.#child(node, object[name], oldValue, path, member, childOf(node.correlation, name)));
    }
  }

  #child(
    node: Node,
    value: unknown,
    old: unknown,
    path: string,
    schema: JsonSchemaProps,
    correlation: Correlation | undefined,
  ): Node {
    const parent = node.correlation ?? node.parent;
    return { value, old, isResource: schema.embeddedResource === true, path, correlation, parent };
  }

  #evaluateOwn(rules: JsonSchemaProps, schema: JsonSchemaProps, node: Node): void {
    const compiled = compiledRules(rules, schema, node.isResource);
    if (compiled.length === 0 || this.#left < 0) return;
    const seen = node.isResource ? { ...schema, embeddedResource: true, type: 'object' } : schema;
    const values = {
      self: toCelValue(node.value, seen),
      oldSelf: isMissing(node.old) ? undefined : toCelValue(node.old, seen),
    };
    for (const rule of compiled) {
      if (this.#left < 0) return;
      this.#evaluateRule(rule, schema, node, values);
    }
  }

  #evaluateRule(compiled: CompiledRule, schema: JsonSchemaProps, node: Node, { self, oldSelf }: Values): void {
    const { rule, expression, error, usesOldSelf } = compiled;
    if (error !== undefined) this.#fail(schema, node, `rule compile error: ${error}`);
    if (expression === undefined) return;
    if (usesOldSelf && oldSelf === undefined && !rule.optionalOldSelf) return;
    const old = rule.optionalOldSelf ? new CelOptional(oldSelf) : oldSelf;
    const variables: Variables = (name) => (name === 'self' ? self : name === 'oldSelf' ? old : undefined);
    const result = this.#run(expression, variables);
    const words = ruleWords(compiled);
    if (result === undefined)
      this.#fail(
        schema,
        node,
        'validation failed due to running out of cost budget, no further validation rules will be run',
      );
    else if (result instanceof CelError) this.#failRule(result, words, schema, node);
    else if (result !== true)
      this.#refuse(compiled, schema, node, this.#messageOf(compiled, variables) ?? defaultMessage(compiled));
  }

  /** Evaluates an expression and takes its cost; `undefined` if there is too little left. */
  #run({ checked }: CompiledExpression, variables: Variables): CelResult | undefined {
    const { result, cost } = evaluate(checked, variables, Math.min(EXPRESSION_LIMIT, this.#left));
    this.#budget.spendOnExpressions(cost);
    if (cost > this.#left) {
      this.#left = -1;
      return undefined;
    }
    this.#left -= cost;
    return result;
  }

  #fail(schema: JsonSchemaProps, { path }: Node, detail: string): void {
    this.errors.push({ type: 'FieldValueInvalid', field: fieldOf(path), badValue: schema.type ?? '', detail });
  }

  #failRule({ message }: CelError, words: string, schema: JsonSchemaProps, node: Node): void {
    if (message.startsWith('no such overload'))
      this.#fail(
        schema,
        node,
        `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${words}`,
      );
    else if (message === COST_EXCEEDED) {
      this.#fail(
        schema,
        node,
        `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${words}`,
      );
      this.#left = -1;
    } else this.#fail(schema, node, `${message} evaluating rule: ${words}`);
  }

  /** The message that the rule's own expression makes; `undefined` if it makes none that can be shown. */
  #messageOf({ message }: CompiledRule, variables: Variables): string | undefined {
    if (message === undefined) return undefined;
    const text = this.#run(message, variables);
    if (typeof text !== 'string') return undefined;
    const shown = text.trim();
    return shown === '' || shown.includes('\n') || Buffer.byteLength(shown) > MAX_MESSAGE_BYTES ? undefined : shown;
  }

  #refuse({ rule, usesOldSelf }: CompiledRule, schema: JsonSchemaProps, node: Node, detail: string): void {
    const stays = !usesOldSelf && isUnchanged(node.correlation ?? node.parent);
    const errors = stays ? this.warnings : this.errors;
    const found = rule.fieldPath === '' ? undefined : findFieldPath(rule.fieldPath, schema);
    const path =
      found === undefined || 'error' in found || found.path === '' ? node.path : childPath(node.path, found.path);
    const isLarge = schema.type === 'object' || schema.type === 'array' || node.isResource;
    const error = { field: fieldOf(path), badValue: isLarge ? OMITTED_VALUE : node.value };
    if (rule.reason === 'FieldValueForbidden' || rule.reason === 'FieldValueRequired')
      errors.push({ ...error, type: rule.reason, badValue: '', detail });
    else if (rule.reason === 'FieldValueDuplicate') errors.push({ ...error, type: rule.reason, detail: '' });
    else errors.push({ ...error, type: 'FieldValueInvalid', detail });
  }
}

interface Values {
  readonly self: ReturnType<typeof toCelValue>;
  readonly oldSelf: ReturnType<typeof toCelValue> | undefined;
}

/** `<nil>` is how Go prints the path of the root. */
function fieldOf(path: string): string {
  return path === '' ? '<nil>' : path;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

function ruleWords({ rule }: CompiledRule): string {
  return (rule.message === '' ? rule.rule : rule.message).trim();
}

function defaultMessage({ rule }: CompiledRule): string {
  return rule.message === '' ? `failed rule: ${rule.rule.trim()}` : rule.message.trim();
}

const COMPILED = new WeakMap<JsonSchemaProps, readonly CompiledRule[]>();

/** The rules of one node, for values of a schema, compiled once. */
function compiledRules(rules: JsonSchemaProps, schema: JsonSchemaProps, isResource: boolean): readonly CompiledRule[] {
  const known = COMPILED.get(rules);
  if (known !== undefined) return known;
  const self = (rules.validations ?? []).length === 0 ? undefined : schemaType(schema, isResource);
  const compiled = self === undefined ? [] : (rules.validations ?? []).map((rule) => compileRule(rule, self));
  COMPILED.set(rules, compiled);
  return compiled;
}

const WITH_RULES = new WeakMap<JsonSchemaProps, boolean>();

/** True if a schema, or one in it that has values of its own, has rules. */
export function hasRules(schema: JsonSchemaProps): boolean {
  const known = WITH_RULES.get(schema);
  if (known !== undefined) return known;
  const values = valuesSchema(schema);
  const children = [
    ...(schema.allOf ?? []),
    ...(schema.properties?.values() ?? []),
    ...(schema.items ? [schema.items] : []),
    ...(values ? [values] : []),
  ];
  const result = (schema.validations ?? []).length > 0 || children.some(hasRules);
  WITH_RULES.set(schema, result);
  return result;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
