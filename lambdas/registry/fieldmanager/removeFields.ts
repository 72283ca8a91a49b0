import { setMember } from '../../objects/json.ts';
import type { FieldSet } from './FieldSet.ts';
import { listElement } from './listElements.ts';
import {
  isMap,
  type JsonMap,
  type ListSchema,
  type MapSchema,
  memberSchema,
  type MergeSchema,
  shapeOf,
} from './MergeSchema.ts';
import { fieldElement } from './pathElement.ts';

/** Returns the object without the values at these paths. A map or list of which nothing is left becomes null, which an object's decoder drops. */
export function removeFields(object: JsonMap, paths: FieldSet, schema: MergeSchema): JsonMap {
  if (paths.isEmpty) return object;
  return (removeFrom(object, paths, schema) ?? {}) as JsonMap;
}

function removeFrom(value: unknown, paths: FieldSet, schema: MergeSchema): unknown {
  const shape = shapeOf(schema, value);
  switch (shape.is) {
    case 'scalar':
      return value;
    case 'list':
      return Array.isArray(value) && shape.list.type !== 'atomic' ? removeFromList(value, paths, shape.list) : null;
    case 'map':
      return isMap(value) && !shape.map.atomic ? removeFromMap(value, paths, shape.map) : null;
  }
}

function removeFromList(list: readonly unknown[], paths: FieldSet, schema: ListSchema): unknown {
  const kept = list.flatMap((item, index) => {
    const element = listElement(item, schema, index);
    if (paths.hasMember(element)) return [];
    const below = paths.below(element);
    return [below.isEmpty ? item : removeFrom(item, below, schema.items)];
  });
  return kept.length > 0 ? kept : null;
}

function removeFromMap(map: JsonMap, paths: FieldSet, schema: MapSchema): unknown {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(map)) {
    const element = fieldElement(name);
    if (paths.hasMember(element)) continue;
    const below = paths.below(element);
    setMember(kept, name, below.isEmpty ? value : removeFrom(value, below, memberSchema(schema, name)));
  }
  return Object.keys(kept).length > 0 ? kept : null;
}
