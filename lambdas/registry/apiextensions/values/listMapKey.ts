import type { JsonSchemaProps } from '../schema/JsonSchemaProps.ts';

/** Returns the key of an item of a list of type `map` as a text; items with the same key have the same text. */
export function listMapKey({ listMapKeys = [] }: JsonSchemaProps, item: unknown): string {
  const members = (typeof item === 'object' && item !== null ? item : {}) as Readonly<Record<string, unknown>>;
  return JSON.stringify(listMapKeys.map((key) => (Object.hasOwn(members, key) ? [members[key]] : [])));
}
