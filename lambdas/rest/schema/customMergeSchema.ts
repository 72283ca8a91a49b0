import type { JsonSchemaProps } from '../../registry/apiextensions/schema/JsonSchemaProps.ts';
import {
  DEDUCED,
  type ListSchema,
  type MapField,
  type MapSchema,
  type MergeSchema,
} from '../../registry/fieldmanager/MergeSchema.ts';
import { mergeSchemaOf } from './mergeSchema.ts';
import { schemaOf } from './schemaOf.ts';

const known = new WeakMap<JsonSchemaProps, MergeSchema>();

/** How server-side apply treats a custom object: what its structural schema says of its lists and maps. The root has the metadata of every object. */
export function customMergeSchema(root: JsonSchemaProps): MergeSchema {
  const before = known.get(root);
  if (before !== undefined) return before;
  const merge: MergeSchema = { map: objectSchema(root, true) };
  known.set(root, merge);
  return merge;
}

function valueSchema(schema: JsonSchemaProps): MergeSchema {
  if (schema.intOrString === true) return { scalar: 'any' };
  switch (schema.type ?? '') {
    case 'object':
      return { map: objectSchema(schema, schema.embeddedResource === true) };
    case 'array':
      return { list: listSchema(schema) };
    case 'string':
    case 'boolean':
      return { scalar: schema.type === 'boolean' ? 'boolean' : 'string' };
    case 'integer':
    case 'number':
      return { scalar: 'number' };
    default:
      return DEDUCED;
  }
}

function objectSchema(schema: JsonSchemaProps, isResource: boolean): MapSchema {
  const fields = new Map<string, MapField>();
  const values = valuesOf(schema);
  return {
    atomic: schema.mapType === 'atomic',
    alwaysPresent: [],
    ...(values && { values }),
    field: (name) => {
      const field = fields.get(name) ?? fieldOf(schema, isResource, name);
      if (field) fields.set(name, field);
      return field;
    },
  };
}

function valuesOf({ additionalProperties, preserveUnknownFields }: JsonSchemaProps): MergeSchema | undefined {
  if (typeof additionalProperties === 'object') return valueSchema(additionalProperties);
  return additionalProperties === true || preserveUnknownFields === true ? DEDUCED : undefined;
}

function fieldOf(schema: JsonSchemaProps, isResource: boolean, name: string): MapField | undefined {
  if (isResource && (name === 'apiVersion' || name === 'kind')) return { schema: { scalar: 'string' } };
  if (isResource && name === 'metadata') return { schema: mergeSchemaOf(schemaOf('meta.v1.ObjectMeta')) };
  const property = schema.properties?.get(name);
  if (!property) return undefined;
  return { schema: valueSchema(property), ...(property.default !== undefined && { keyDefault: property.default }) };
}

function listSchema({ listType, listMapKeys = [], items }: JsonSchemaProps): ListSchema {
  const type = listType === 'set' || listType === 'map' ? listType : 'atomic';
  return { type, keys: listMapKeys, items: items ? valueSchema(items) : DEDUCED };
}
