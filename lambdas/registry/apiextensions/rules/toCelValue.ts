import { parseGoDuration } from '../../../objects/go/goDuration.ts';
import { escapeName, unescapeName } from './escapeName.ts';
import { withMeta } from './SchemaType.ts';
import { type JsonSchemaProps, valuesSchema } from '../schema/JsonSchemaProps.ts';
import { parseTimestamp } from '../../cel/functions/parseTimestamp.ts';
import {
  CelDuration,
  CelList,
  CelMap,
  type CelMapSource,
  CelTimestamp,
  type CelValue,
} from '../../cel/evaluate/CelValue.ts';

/**
 * Returns JSON as CEL sees it through a schema, or without one, by what it is. Members of objects are converted when they are asked for. A value that does
 * not fit its schema is seen as what it is.
 */
export function toCelValue(value: unknown, schema?: JsonSchemaProps): CelValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return schema?.type === 'number' ? value : numberValue(value);
  if (typeof value === 'string') return textValue(value, schema);
  if (Array.isArray(value)) return listValue(value, schema);
  return new CelMap(new JsonMap(value as Readonly<Record<string, unknown>>, schema));
}

function numberValue(value: number): CelValue {
  return Number.isInteger(value) ? BigInt(value) : value;
}

function textValue(text: string, schema: JsonSchemaProps | undefined): CelValue {
  const format = schema?.type === 'string' ? schema.format : undefined;
  if (format === 'byte') return new Uint8Array(Buffer.from(text, 'base64'));
  if (format === 'duration') {
    const nanos = parseGoDuration(text);
    if (nanos !== undefined) return new CelDuration(nanos);
  }
  if (format === 'date' || format === 'date-time') {
    const nanos = parseTimestamp(format === 'date' ? `${text}T00:00:00Z` : text);
    if (nanos !== undefined) return new CelTimestamp(nanos);
  }
  return text;
}

function listValue(items: readonly unknown[], schema: JsonSchemaProps | undefined): CelList {
  const values = items.map((item) => toCelValue(item, schema?.items));
  if (schema?.listType === 'set') return new CelList(values, { keyOf: scalarKey });
  if (schema?.listType !== 'map') return new CelList(values);
  const keys = (schema.listMapKeys ?? []).map((key) => escapeName(key) ?? key);
  return new CelList(values, {
    keyOf: (item) =>
      JSON.stringify(keys.map((key) => (item instanceof CelMap ? scalarKey(item.source.get(key) ?? null) : ''))),
  });
}

function scalarKey(value: CelValue): string {
  if (typeof value === 'object' && value !== null)
    return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}` : one));
  return `${typeof value} ${String(value)}`;
}

/** An object of JSON as a map. With properties, it has just these, by escaped names; without, all members. */
class JsonMap implements CelMapSource {
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #values: JsonSchemaProps | undefined;
  readonly #properties: ReadonlyMap<string, JsonSchemaProps> | undefined;
  readonly #isTyped: boolean;

  constructor(members: Readonly<Record<string, unknown>>, schema: JsonSchemaProps | undefined) {
    this.#members = members;
    this.#properties = schema?.embeddedResource ? withMeta(schema) : schema?.properties;
    this.#values = schema === undefined ? undefined : valuesSchema(schema);
    this.#isTyped = schema !== undefined && schema.type !== undefined;
  }

  get size(): number {
    return Object.keys(this.#members).length;
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') return undefined;
    if (this.#properties === undefined) return this.#read(key, this.#values);
    const name = this.#properties.has(key) ? key : unescapeName(key);
    const schema = name === undefined ? undefined : this.#properties.get(name);
    // A null of a nullable field counts as its absence, as in Kubernetes.
    if (name === undefined || schema === undefined || this.#members[name] === null) return undefined;
    return this.#read(name, schema);
  }

  #read(name: string, schema: JsonSchemaProps | undefined): CelValue | undefined {
    if (!Object.hasOwn(this.#members, name) || (this.#isTyped && schema === undefined)) return undefined;
    return toCelValue(this.#members[name], schema);
  }

  *keys(): Iterable<CelValue> {
    for (const name of Object.keys(this.#members).sort()) {
      if (this.#properties === undefined) yield name;
      else if (this.#properties.has(name)) yield escapeName(name) ?? name;
    }
  }
}
