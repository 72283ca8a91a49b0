import { type JsonSchemaProps, memberSchema } from '../schema/JsonSchemaProps.ts';
import { deepEqual } from './deepEqual.ts';
import { listMapKey } from './listMapKey.ts';

/** A value and the old value at the same place: by name in objects, by key in lists of type `map`. Items of other lists have no place of their own. */
export interface Correlation {
  readonly value: unknown;
  readonly old: unknown;
  readonly schema: JsonSchemaProps;
  /** The old items by their keys, once they were needed. */
  oldItems?: ReadonlyMap<string, unknown>;
}

/** Returns a member's correlation; `undefined` if it is new, or if the schema knows nothing of it. */
export function childOf(parent: Correlation | undefined, name: string): Correlation | undefined {
  if (parent === undefined || !isObject(parent.value) || !isObject(parent.old)) return undefined;
  if (!Object.hasOwn(parent.value, name) || !Object.hasOwn(parent.old, name)) return undefined;
  const schema = memberSchema(parent.schema, name);
  return schema === undefined ? undefined : { value: parent.value[name], old: parent.old[name], schema };
}

/** Returns the correlation of an item of a list of type `map`; `undefined` for items of other lists and for items with new keys. */
export function itemOf(parent: Correlation | undefined, index: number): Correlation | undefined {
  if (parent === undefined || !Array.isArray(parent.value) || !Array.isArray(parent.old)) return undefined;
  const { schema } = parent;
  if (schema.listType !== 'map' || schema.items === undefined) return undefined;
  parent.oldItems ??= new Map(parent.old.map((item: unknown) => [listMapKey(schema, item), item]));
  const value: unknown = parent.value[index];
  const old = parent.oldItems.get(listMapKey(schema, value));
  return old === undefined || old === null ? undefined : { value, old, schema: schema.items };
}

/** True if the value is the old one. Lists of type `map` are equal in any order. */
export function isUnchanged(correlation: Correlation | undefined): boolean {
  if (correlation === undefined) return false;
  const { value, old, schema } = correlation;
  if (Array.isArray(value) && Array.isArray(old)) {
    if (schema.listType !== 'map' || schema.items === undefined) return deepEqual(value, old);
    return value.length === old.length && value.every((_, index) => isUnchanged(itemOf(correlation, index)));
  }
  if (!isObject(value) || !isObject(old)) return deepEqual(value, old);
  const names = Object.keys(value);
  return names.length === Object.keys(old).length && names.every((name) => isUnchanged(childOf(correlation, name)));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
