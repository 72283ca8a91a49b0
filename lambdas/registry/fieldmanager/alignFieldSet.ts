import { type FieldSet, NOTHING } from './FieldSet.ts';
import { DEDUCED, declaredMember, type MergeSchema, shapeOf } from './MergeSchema.ts';
import { fieldNameOf, type PathElement } from './pathElement.ts';

/** The schema of what this step leads to; `undefined` if the schema knows nothing of it. */
function schemaBelow(schema: MergeSchema | undefined, element: PathElement): MergeSchema | undefined {
  const name = fieldNameOf(element);
  if (name !== undefined) return schema?.map === undefined ? undefined : declaredMember(schema.map, name);
  return element.startsWith('k:') ? schema?.list?.items : undefined;
}

/**
 * Brings what a manager owns in line with a schema that has changed: where a list or map has become atomic, a manager that owned parts of it owns all of
 * it. If a list or map stops being atomic, nothing has to change.
 */
export function reconcileWithSchema(set: FieldSet, schema: MergeSchema): FieldSet {
  if (schema === DEDUCED) return set;
  return set.map((element, { member, children }) => {
    const below = schemaBelow(schema, element);
    if (below === undefined || children.isEmpty) return { member, children };
    const shape = shapeOf(below, undefined);
    const isAtomic = (shape.is === 'list' && shape.list.type === 'atomic') || (shape.is === 'map' && shape.map.atomic);
    if (isAtomic) return { member: true, children: NOTHING };
    return { member, children: reconcileWithSchema(children, below) };
  });
}

/** Adds every declared field below which the set has paths: a struct counts as there if something in it is, though nobody owns the struct itself. */
export function withDeclaredFields(set: FieldSet, schema: MergeSchema | undefined): FieldSet {
  return set.map((element, { member, children }) => {
    const name = fieldNameOf(element);
    const isDeclared = name !== undefined && schema?.map?.field(name) !== undefined;
    return {
      member: member || (isDeclared && !children.isEmpty),
      children: withDeclaredFields(children, schemaBelow(schema, element)),
    };
  });
}
