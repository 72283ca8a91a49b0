import { type FieldNode, FieldSet, NOTHING } from './FieldSet.ts';
import { itemsByElement } from './listElements.ts';
import { isMap, type ListSchema, type MapSchema, memberSchema, type MergeSchema, shapeOf } from './MergeSchema.ts';
import { fieldElement } from './pathElement.ts';

/** The paths of all that this object says: what somebody owns who applies it. Throws FieldManagerError for a list item that has no step. */
export function toFieldSet(object: unknown, schema: MergeSchema): FieldSet {
  return nodeOf(object, schema).children;
}

const LEAF: FieldNode = { member: true, children: NOTHING };
const NOBODYS: FieldNode = { member: false, children: NOTHING };

function nodeOf(value: unknown, schema: MergeSchema): FieldNode {
  const shape = shapeOf(schema, value);
  switch (shape.is) {
    case 'scalar':
      return LEAF;
    case 'list':
      if (shape.list.type === 'atomic') return LEAF;
      return Array.isArray(value) ? listNode(value, shape.list) : NOBODYS;
    case 'map':
      if (shape.map.atomic) return LEAF;
      return isMap(value) ? mapNode(value, shape.map) : NOBODYS;
  }
}

/** Each item is owned, with its parts. Items with the same keys are owned together, as one. */
function listNode(list: readonly unknown[], schema: ListSchema): FieldNode {
  const children = new FieldSet();
  for (const [element, [item, ...more]] of itemsByElement(list, schema)) {
    children.put(element, more.length > 0 ? LEAF : { ...nodeOf(item, schema.items), member: true });
  }
  return { member: false, children };
}

/** A member that no field declares is owned itself, beside its parts. So is one that is null or an empty map, since nothing else would tell that it is there. */
function mapNode(map: Readonly<Record<string, unknown>>, schema: MapSchema): FieldNode {
  const children = new FieldSet();
  for (const [name, value] of Object.entries(map)) {
    const node = nodeOf(value, memberSchema(schema, name));
    const isBare = value === null || (isMap(value) && Object.keys(value).length === 0);
    children.put(fieldElement(name), {
      member: node.member || isBare || schema.field(name) === undefined,
      children: node.children,
    });
  }
  return { member: false, children };
}
