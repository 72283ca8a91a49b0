import { cloneJson } from '../../../objects/json.ts';
import type { RequestBudget } from '../../../objects/RequestBudget.ts';
import { type JsonSchemaProps, memberSchema, valuesSchema } from './JsonSchemaProps.ts';

/** Changes the value: removes members that are null, may not be null, and have no default. Nulls in lists stay. Follows upstream's `PruneNonNullableNullsWithoutDefaults`. */
export function dropNulls(value: unknown, schema: JsonSchemaProps | undefined): void {
  if (Array.isArray(value)) {
    for (const item of value) dropNulls(item, schema?.items);
    return;
  }
  if (!isObject(value) || schema === undefined) return;
  for (const name of Object.keys(value)) {
    const member = memberSchema(schema, name);
    if (isUnwantedNull(value[name], member) && member?.default === undefined) delete value[name];
    else dropNulls(value[name], member);
  }
}

/**
 * Changes the value: fills in the defaults where members are absent, or null and may not be; also within what a default brought. Follows
 * apiextensions-apiserver's `defaulting`, which does so for requests and for what it reads from storage. Throws
 * BudgetExhaustedError when the defaults take more room than `budget` has; those before stay.
 */
export function applyDefaults(value: unknown, schema: JsonSchemaProps | undefined, budget: RequestBudget): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) return defaultItems(value, schema.items, budget);
  if (!isObject(value)) return;
  for (const [name, property] of schema.properties ?? []) {
    if (property.default === undefined) continue;
    if (!Object.hasOwn(value, name) || isUnwantedNull(value[name], property))
      setMember(value, name, property.default, budget);
  }
  for (const name of Object.keys(value)) {
    const values = schema.properties?.has(name) ? undefined : valuesSchema(schema);
    if (values?.default !== undefined && isUnwantedNull(value[name], values))
      setMember(value, name, values.default, budget);
    applyDefaults(value[name], memberSchema(schema, name), budget);
  }
}

function defaultItems(items: unknown[], schema: JsonSchemaProps | undefined, budget: RequestBudget): void {
  items.forEach((item, index) => {
    if (schema?.default !== undefined && isUnwantedNull(item, schema)) {
      budget.keepCopy(schema.default);
      items[index] = cloneJson(schema.default);
    }
    applyDefaults(items[index], schema, budget);
  });
}

function isUnwantedNull(value: unknown, schema: JsonSchemaProps | undefined): boolean {
  return value === null && schema !== undefined && !schema.nullable;
}

/** Sets a member, also one with the name `__proto__`. */
function setMember(object: Record<string, unknown>, name: string, value: unknown, budget: RequestBudget): void {
  budget.keep(name.length);
  budget.keepCopy(value);
  Object.defineProperty(object, name, {
    value: cloneJson(value),
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
