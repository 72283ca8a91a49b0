import type { MapField, MapSchema, MergeSchema, ScalarType } from '../../registry/fieldmanager/MergeSchema.ts';
import { ATOMIC_VALUE, DEDUCED } from '../../registry/fieldmanager/MergeSchema.ts';
import { isKind } from './kindSchema.ts';
import type { Scalar } from './parseField.ts';
import type { FieldSchema, Schema } from './schemaOf.ts';

const known = new WeakMap<Schema, MergeSchema>();

/** How server-side apply treats a struct of the API: what our tables say of its lists and maps. */
export function mergeSchemaOf(schema: Schema): MergeSchema {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const merge: MergeSchema = { map: structSchema(schema) };
  known.set(schema, merge);
  return merge;
}

const TYPE_META: MapField = { schema: { scalar: 'string' } };

function structSchema(schema: Schema): MapSchema {
  const kind = isKind(schema);
  const fields = new Map<string, MapField>();
  return {
    atomic: schema.isAtomic,
    get alwaysPresent() {
      return alwaysPresent(schema);
    },
    field: (name) => {
      if (kind && (name === 'apiVersion' || name === 'kind')) return TYPE_META;
      const field = schema.fields.get(name);
      if (field === undefined) return undefined;
      const merge = fields.get(name) ?? mergeField(field);
      fields.set(name, merge);
      return merge;
    },
  };
}

/** Every kind's `metadata`, `spec` and `status` are always there, as are the fields that say so. */
function alwaysPresent(schema: Schema): readonly string[] {
  const parts = isKind(schema)
    ? ['metadata', 'spec', 'status'].filter((name) => typeof schema.fields.get(name)?.of === 'object')
    : [];
  return [...parts, ...schema.wireFields.filter(({ isPresent }) => isPresent).map(({ name }) => name)];
}

function mergeField(field: FieldSchema): MapField {
  return { schema: fieldSchema(field), keyDefault: keyDefault(field) };
}

function fieldSchema({ shape, of, listType, atomicMap }: FieldSchema): MergeSchema {
  const element = typeof of === 'string' ? scalarSchema(of) : structOrUnion(of);
  switch (shape) {
    case 'single':
      return element;
    case 'list':
      return { list: { type: 'atomic', keys: [], ...listType, items: element } };
    case 'map':
      return { map: { atomic: atomicMap, field: () => undefined, values: element, alwaysPresent: [] } };
  }
}

/** A value that is written in one of several ways (`items` of a schema: one schema, or a list) has no type in the API's description. */
function structOrUnion(schema: Schema): MergeSchema {
  return schema.union === undefined ? mergeSchemaOf(schema) : ATOMIC_VALUE;
}

const SCALAR_TYPES: Readonly<Partial<Record<Scalar, ScalarType>>> = {
  string: 'string',
  bytes: 'string',
  bool: 'boolean',
  int32: 'number',
  int64: 'number',
  Time: 'any',
  MicroTime: 'any',
  Quantity: 'any',
  IntOrString: 'any',
};

function scalarSchema(of: Scalar): MergeSchema {
  const scalar = SCALAR_TYPES[of];
  if (scalar !== undefined) return { scalar };
  return of === 'ExtraValue' ? { list: { type: 'atomic', keys: [], items: { scalar: 'string' } } } : DEDUCED;
}

/** What an item of a list has for a key that it leaves out: ports are TCP ports, and what is required counts as zero or empty. */
function keyDefault({ name, of, shape }: FieldSchema): unknown {
  if (shape !== 'single') return undefined;
  if (name === 'protocol') return 'TCP';
  if (of === 'string') return '';
  return of === 'int32' ? 0 : undefined;
}
