import { childPath, indexPath } from './fieldPath.ts';
import { type JsonSchemaProps, valuesSchema } from './JsonSchemaProps.ts';

const META_FIELDS = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Changes the value: removes the fields that a structural schema does not specify, except where it preserves unknown fields. The metadata of embedded
 * resources stays. Returns the paths that it removed, sorted. `isRoot`: the value is a whole object, whose apiVersion, kind and metadata stay.
 * Follows apiextensions-apiserver's `pruning`.
 */
export function pruneFields(value: unknown, schema: JsonSchemaProps, isRoot: boolean): string[] {
  const removed: string[] = [];
  prune(value, isRoot ? { ...schema, embeddedResource: true } : schema, '', removed);
  return removed.sort();
}

function prune(value: unknown, schema: JsonSchemaProps | undefined, path: string, removed: string[]): void {
  if (Array.isArray(value)) return pruneItems(value, schema, path, removed);
  if (typeof value !== 'object' || value === null) return;
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    if (schema?.embeddedResource && META_FIELDS.has(name)) continue;
    const property = schema?.properties?.get(name);
    if (property !== undefined) prune(members[name], property, childPath(path, name), removed);
    else if (schema?.additionalProperties !== undefined)
      prune(members[name], valuesSchema(schema), childPath(path, name), removed);
    else if (!schema?.preserveUnknownFields) {
      if (!META_FIELDS.has(name) || path !== '') removed.push(childPath(path, name));
      delete members[name];
    }
  }
}

/** A list that preserves unknown fields preserves those of its items, too; without a schema of its items it keeps them as they are. */
function pruneItems(
  items: readonly unknown[],
  schema: JsonSchemaProps | undefined,
  path: string,
  removed: string[],
): void {
  const preserves = schema?.preserveUnknownFields === true;
  if (preserves && schema.items === undefined) return;
  const itemSchema = preserves && schema.items ? { ...schema.items, preserveUnknownFields: true } : schema?.items;
  items.forEach((item, index) => prune(item, itemSchema, indexPath(path, index), removed));
}
