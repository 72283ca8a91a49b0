import type { FieldError } from '../../../objects/FieldError.ts';
import { duplicate, invalid } from '../../validation/fieldErrors.ts';
import { childPath, indexPath, keyPath } from './fieldPath.ts';
import { type JsonSchemaProps, valuesSchema } from './JsonSchemaProps.ts';

/** Returns the errors of lists of type `set` that hold something twice, and of lists of type `map` that hold a key twice. Follows upstream's `listtype`. Pure. */
export function validateListTypes(value: unknown, schema: JsonSchemaProps | undefined, path = ''): FieldError[] {
  if (schema === undefined || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return validateList(value, schema, path);
  const object = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(object).sort();
  const values = valuesSchema(schema);
  return [
    ...(values === undefined
      ? []
      : names.flatMap((name) => validateListTypes(object[name], values, keyPath(path, name)))),
    ...names.flatMap((name) => validateListTypes(object[name], schema.properties?.get(name), childPath(path, name))),
  ];
}

function validateList(items: readonly unknown[], schema: JsonSchemaProps, path: string): FieldError[] {
  const own =
    schema.listType === 'set'
      ? repetitions(items, path)
      : schema.listType === 'map'
        ? mapErrors(items, schema, path)
        : [];
  return [...own, ...items.flatMap((item, index) => validateListTypes(item, schema.items, indexPath(path, index)))];
}

function mapErrors(items: readonly unknown[], { listMapKeys = [] }: JsonSchemaProps, path: string): FieldError[] {
  const wrong = items.findIndex((item) => typeof item !== 'object' || Array.isArray(item));
  if (wrong >= 0)
    return [invalid(indexPath(path, wrong), items[wrong], 'must be an object for an array of list-type map')];
  return repetitions(
    items.map((item) => keysOf(item, listMapKeys)),
    path,
  );
}

function keysOf(item: unknown, keys: readonly string[]): Record<string, unknown> {
  const members = (item ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(members, key)).map((key) => [key, members[key]]));
}

/** One error at the second appearance of whatever appears more than once. */
function repetitions(items: readonly unknown[], path: string): FieldError[] {
  const counts = new Map<string, number>();
  return items.flatMap((item, index) => {
    const text = canonicalJson(item);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return count === 2 ? [duplicate(indexPath(path, index), sorted(item))] : [];
  });
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? 'null';
}

/** Sorts the members of objects, as Go prints maps. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const object = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.keys(object)
      .sort()
      .map((name) => [name, sorted(object[name])]),
  );
}
