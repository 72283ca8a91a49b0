import { type CelType, listOf, mapOf, simpleType } from '../../cel/CelType.ts';
import type { Estimate } from '../../cel/cost/Estimate.ts';
import type { EstimateSize } from '../../cel/cost/EstimatedCall.ts';
import type { JsonSchemaProps } from '../schema/JsonSchemaProps.ts';
import { valuesSchema } from '../schema/JsonSchemaProps.ts';
import { canBeSelected, escapeName } from './escapeName.ts';

/** What a schema is to CEL: its type, and how large its values can be. Upstream's `DeclType`. */
export interface SchemaType {
  readonly type: CelType;
  /** By escaped names. */
  readonly fields?: ReadonlyMap<string, SchemaType>;
  readonly element?: SchemaType;
  readonly key?: SchemaType;
  /** The most characters, items or members that a request can hold. */
  readonly maxElements: number;
  /** The fewest bytes of JSON that a value takes. */
  readonly minSize: number;
}

/** The largest request, in bytes. */
export const MAX_REQUEST_BYTES = 3 * 1024 * 1024;

const MAX_TEXT = MAX_REQUEST_BYTES - 2;
const MIN_TEXT_BYTES = 2;
const MAX_TIME_BYTES = 32;
const DATE_BYTES = 12;
const MIN_TIME_BYTES = 21;
const MIN_DURATION_BYTES = 3;
const KEY: SchemaType = { type: simpleType('string'), maxElements: 0, minSize: MIN_TEXT_BYTES };

/**
 * Returns the type of a schema, or `undefined` if rules cannot see its values: what has no type, and lists and maps of such. `isResource`: apiVersion, kind
 * and metadata's names can be seen, too, specified or not. Follows upstream's `SchemaDeclType`. Pure.
 */
export function schemaType(schema: JsonSchemaProps, isResource: boolean, name = 'selfType'): SchemaType | undefined {
  if (schema.intOrString)
    return {
      type: simpleType('dyn'),
      maxElements: schema.maxLength === undefined ? MAX_TEXT : bytesOf(schema.maxLength),
      minSize: 1,
    };
  switch (isResource ? 'object' : (schema.type ?? '')) {
    case 'array':
      return listType(schema, name);
    case 'object':
      return valuesSchema(schema) === undefined || isResource
        ? objectType(schema, isResource, name)
        : mapType(schema, name);
    case 'string':
      return textType(schema);
    case 'boolean':
      return { type: simpleType('bool'), maxElements: 0, minSize: 4 };
    case 'number':
      return { type: simpleType('double'), maxElements: 0, minSize: 1 };
    case 'integer':
      return { type: simpleType('int'), maxElements: 0, minSize: 1 };
    default:
      return undefined;
  }
}

function listType({ items, maxItems }: JsonSchemaProps, name: string): SchemaType | undefined {
  const element = items === undefined ? undefined : schemaType(items, items.embeddedResource === true, `${name}.@idx`);
  if (element === undefined) return undefined;
  const maxElements =
    maxItems === undefined ? Math.floor((MAX_REQUEST_BYTES - 2) / (element.minSize + 1)) : Math.max(0, maxItems);
  return { type: listOf(element.type), element, maxElements, minSize: 2 };
}

function mapType(schema: JsonSchemaProps, name: string): SchemaType | undefined {
  const values = valuesSchema(schema);
  const element =
    values === undefined ? undefined : schemaType(values, values.embeddedResource === true, `${name}.@elem`);
  if (element === undefined) return undefined;
  const { maxProperties } = schema;
  const maxElements =
    maxProperties === undefined
      ? Math.floor((MAX_REQUEST_BYTES - 2) / (element.minSize + 6))
      : Math.max(0, maxProperties);
  return { type: mapOf(simpleType('string'), element.type), key: KEY, element, maxElements, minSize: 2 };
}

function objectType(schema: JsonSchemaProps, isResource: boolean, name: string): SchemaType {
  const properties = isResource ? withMeta(schema) : (schema.properties ?? new Map<string, JsonSchemaProps>());
  const fields = new Map<string, SchemaType>();
  const types = new Map<string, CelType>();
  let minSize = 2;
  for (const [property, one] of properties) {
    const escaped = escapeName(property);
    const field = schemaType(one, one.embeddedResource === true, `${name}.${escaped ?? property}`);
    if (field === undefined) continue;
    if (escaped !== undefined) {
      fields.set(escaped, field);
      types.set(escaped, field.type);
      if (canBeSelected(property)) types.set(property, field.type);
    }
    if (schema.required?.includes(property) && one.default === undefined)
      minSize += Buffer.byteLength(property) + field.minSize + 4;
  }
  return { type: { kind: 'struct', name, fields: types }, fields, maxElements: 0, minSize };
}

const TEXT: JsonSchemaProps = { type: 'string', otherKeywords: new Set() };
const METADATA: JsonSchemaProps = {
  type: 'object',
  properties: new Map([
    ['name', TEXT],
    ['generateName', TEXT],
  ]),
  otherKeywords: new Set(),
};

/** Adds what can always be seen of a whole object, unless its properties have all of it. */
export function withMeta({
  properties = new Map<string, JsonSchemaProps>(),
}: JsonSchemaProps): ReadonlyMap<string, JsonSchemaProps> {
  const names = properties.get('metadata')?.properties;
  const texts = [properties.get('kind'), properties.get('apiVersion'), names?.get('name'), names?.get('generateName')];
  const hasAll = properties.get('metadata')?.type === 'object' && texts.every((text) => text?.type === 'string');
  if (hasAll) return properties;
  return new Map([...properties, ['kind', TEXT], ['apiVersion', TEXT], ['metadata', METADATA]]);
}

function textType(schema: JsonSchemaProps): SchemaType {
  const { format, maxLength } = schema;
  switch (format ?? '') {
    case 'byte':
      return {
        type: simpleType('bytes'),
        maxElements: maxLength === undefined ? MAX_TEXT : Math.max(0, maxLength),
        minSize: MIN_TEXT_BYTES,
      };
    case 'duration':
      return { type: simpleType('duration'), maxElements: MAX_TIME_BYTES, minSize: MIN_DURATION_BYTES };
    case 'date':
      return { type: simpleType('timestamp'), maxElements: DATE_BYTES, minSize: DATE_BYTES };
    case 'date-time':
      return { type: simpleType('timestamp'), maxElements: MAX_TIME_BYTES, minSize: MIN_TIME_BYTES };
    default:
      return { type: simpleType('string'), maxElements: maxTextLength(schema), minSize: MIN_TEXT_BYTES };
  }
}

function maxTextLength({ maxLength, enum: values = [] }: JsonSchemaProps): number {
  if (maxLength !== undefined) return bytesOf(maxLength);
  if (values.length === 0) return MAX_TEXT;
  return Math.max(0, ...values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)));
}

/** A character takes up to four bytes. */
function bytesOf(maxLength: number): number {
  return Math.max(0, maxLength) * 4;
}

/** Estimates sizes by a schema: the first step of a path is the variable. */
export function sizesOf(root: SchemaType): EstimateSize {
  return ([, ...steps]): Estimate | undefined => {
    let current: SchemaType | undefined = root;
    for (const step of steps) {
      if (step === '@items' || step === '@values') current = current.element;
      else if (step === '@keys') current = current.key;
      else current = current.fields?.get(step);
      if (current === undefined) return undefined;
    }
    return { min: 0, max: current.maxElements };
  };
}
