import { isObject } from '../../objects/json.ts';

/** A copy of an object without its managed fields; of a list or a table, without those of its items. Fields keep their order, and the given object stays as it is. Pure. */
export function objectWithoutManagedFields(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).map(([name, member]) => [name, STRIPPED.get(name)?.(member) ?? member]),
  );
}

/** The JSON text of an object, a list or a table without managed fields. Pure. */
export function textWithoutManagedFields(text: string): string {
  return JSON.stringify(objectWithoutManagedFields(JSON.parse(text) as Record<string, unknown>));
}

function strippedMeta(metadata: unknown): unknown {
  if (!isObject(metadata)) return metadata;
  const { managedFields: _, ...others } = metadata;
  return others;
}

function stripped(value: unknown): unknown {
  return isObject(value) && 'metadata' in value ? { ...value, metadata: strippedMeta(value['metadata']) } : value;
}

function strippedItems(items: unknown): unknown {
  return Array.isArray(items) ? items.map(stripped) : items;
}

/** A row of a table may show the object that it is about. */
function strippedRows(rows: unknown): unknown {
  if (!Array.isArray(rows)) return rows;
  return rows.map((row: unknown) => (isObject(row) ? { ...row, object: stripped(row['object']) } : row));
}

/** What is left of the members that hold managed fields. */
const STRIPPED: ReadonlyMap<string, (member: unknown) => unknown> = new Map([
  ['metadata', strippedMeta],
  ['items', strippedItems],
  ['rows', strippedRows],
]);
