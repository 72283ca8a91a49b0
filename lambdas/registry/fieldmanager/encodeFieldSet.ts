import { FieldManagerError } from './FieldManagerError.ts';
import { type FieldNode, FieldSet, NOTHING } from './FieldSet.ts';
import { parsePathElement } from './pathElement.ts';
import { isMap } from './MergeSchema.ts';

/** The JSON of `fieldsV1`: each step is a member, and a step that is owned itself and has more below it has a member `.`. */
export type FieldsV1 = { [step: string]: FieldsV1 };

/** Writes a set as `fieldsV1`, its members in Kubernetes' order. */
export function encodeFieldSet(set: FieldSet): FieldsV1 {
  return encodeInto({}, set);
}

function encodeInto(fields: FieldsV1, set: FieldSet): FieldsV1 {
  for (const [element, { member, children }] of set.entries()) {
    fields[element] = children.isEmpty ? {} : encodeInto(member ? { '.': {} } : {}, children);
  }
  return fields;
}

/** Reads `fieldsV1` as a client or the store has it. Steps of an unknown kind are left out. Throws FieldManagerError for what is not `fieldsV1`. */
export function decodeFieldSet(fields: unknown): FieldSet {
  return decodeNode(fields ?? {}).children;
}

const LEAF: FieldNode = { member: true, children: NOTHING };

function decodeNode(fields: unknown): FieldNode {
  if (!isMap(fields)) throw new FieldManagerError('error decoding set: expected an object');
  const entries = Object.entries(fields);
  // Most fields have nothing below them, and a set of its own for each takes most of the memory.
  if (entries.length === 0) return LEAF;
  const children = new FieldSet();
  for (const [text, below] of entries) {
    const element = text === '.' ? undefined : parsePathElement(text);
    if (element !== undefined) children.put(element, decodeNode(below));
  }
  return { member: children.isEmpty || Object.hasOwn(fields, '.'), children };
}
