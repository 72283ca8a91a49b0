import protobuf from 'protobufjs';
import { DecodingBudget, type DecodingLimits } from './DecodingBudget.ts';
import type { Scalar } from '../schema/parseField.ts';
import type { FieldSchema, Schema, Union } from '../schema/schemaOf.ts';

/** Wire types of protobuf. */
const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;

/** No type of the API nests this deep, so a message that does is hostile. */
const MAX_DEPTH = 100;

/**
 * Decodes one protobuf message to the JSON of the same object, by the field numbers in its schema. Unknown fields are skipped, as protobuf
 * requires. Zero values, which proto2 writes explicitly, are dropped, as `omitempty` drops them. Throws if the bytes end early, or if a field has the wrong wire
 * type; ApiError RequestEntityTooLarge for more values than an object may hold.
 */
export function decodeMessage(bytes: Uint8Array, schema: Schema, limits: DecodingLimits): Record<string, unknown> {
  return readStruct(protobuf.Reader.create(bytes), schema, {}, { depth: 0, budget: new DecodingBudget(limits) });
}

const fieldsByNumber = new WeakMap<Schema, ReadonlyMap<number, FieldSchema>>();

function numbered(schema: Schema): ReadonlyMap<number, FieldSchema> {
  let fields = fieldsByNumber.get(schema);
  if (fields === undefined) {
    fields = new Map(schema.wireFields.map((field) => [field.number, field]));
    fieldsByNumber.set(schema, fields);
  }
  return fields;
}

type Struct = Record<string, unknown>;

/** The place of a message in the body: how deep it stands, and what the body may still hold. */
interface Place {
  readonly depth: number;
  readonly budget: DecodingBudget;
}

function inside({ depth, budget }: Place): Place {
  return { depth: depth + 1, budget };
}

function readStruct(reader: protobuf.Reader, schema: Schema, struct: Struct, place: Place): Struct {
  if (place.depth > MAX_DEPTH) throw new Error('exceeded max depth');
  const fields = numbered(schema);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const field = fields.get(tag >>> 3);
    if (field === undefined) reader.skipType(tag & 7);
    else readField(reader, tag & 7, field, struct, place);
  }
  return struct;
}

function readField(reader: protobuf.Reader, wireType: number, field: FieldSchema, struct: Struct, place: Place): void {
  const { name, of } = field;
  place.budget.spendValues(1);
  if (field.inlined && typeof of !== 'string') {
    expect(wireType, LENGTH_DELIMITED, name);
    readStruct(protobuf.Reader.create(reader.bytes()), of, struct, inside(place));
    return;
  }
  if (field.shape === 'map') {
    expect(wireType, LENGTH_DELIMITED, name);
    const map = (struct[name] ??= {}) as Struct;
    const [key, value] = readEntry(protobuf.Reader.create(reader.bytes()), field, place);
    // A plain assignment to a key named `__proto__` would set the prototype.
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
    return;
  }
  const value = readValue(reader, wireType, field, place);
  if (field.shape === 'list') ((struct[name] ??= []) as unknown[]).push(value);
  else if (value !== undefined && (field.keepsZero || !isZero(value))) struct[name] = value;
}

function isZero(value: unknown): boolean {
  return value === '' || value === 0 || value === false;
}

/** Reads a map's entry: a message of its key (field 1, a string) and its value (field 2). */
function readEntry(reader: protobuf.Reader, field: FieldSchema, place: Place): [string, unknown] {
  let key = '';
  let value: unknown;
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) {
      expect(tag & 7, LENGTH_DELIMITED, field.name);
      key = reader.string();
    } else if (tag >>> 3 === 2) value = readValue(reader, tag & 7, field, place);
    else reader.skipType(tag & 7);
  }
  return [key, value ?? null];
}

function readValue(reader: protobuf.Reader, wireType: number, { of, name }: FieldSchema, place: Place): unknown {
  if (of === 'bool' || of === 'int32' || of === 'int64') {
    expect(wireType, VARINT, name);
    return readNumber(reader, of);
  }
  if (of === 'float64') {
    expect(wireType, FIXED_64, name);
    return reader.double();
  }
  expect(wireType, LENGTH_DELIMITED, name);
  if (of === 'string') return reader.string();
  const bytes = reader.bytes();
  if (of === 'bytes') return Buffer.from(bytes).toString('base64');
  const inner = protobuf.Reader.create(bytes);
  if (typeof of === 'string') return readSpecial(inner, of, place.budget);
  const struct = readStruct(inner, of, {}, inside(place));
  return of.union === undefined ? struct : unionMember(struct, of.union);
}

/** Returns the member that JSON writes. */
function unionMember(struct: Struct, union: Union): unknown {
  if (struct['schema'] !== undefined) return struct['schema'];
  switch (union) {
    case 'boolean':
      return struct['allows'] ?? false;
    case 'structs':
      return struct['jSONSchemas'] ?? [];
    case 'strings':
      return struct['property'] ?? [];
  }
}

function readNumber(reader: protobuf.Reader, type: 'bool' | 'int32' | 'int64'): boolean | number {
  if (type === 'bool') return reader.bool();
  return type === 'int32' ? reader.int32() : toNumber(reader.int64());
}

/** Converts protobufjs's object for a 64-bit integer. Numbers beyond 2^53 lose digits, as in JSON.parse. */
function toNumber(value: number | { low: number; high: number }): number {
  return typeof value === 'number' ? value : value.high * 2 ** 32 + (value.low >>> 0);
}

function expect(wireType: number, expected: number, name: string): void {
  if (wireType !== expected) throw new Error(`wrong wireType = ${wireType} for field ${name}`);
}

/** Reads one of the messages that have a special JSON form. Each has at most three fields, numbered 1 to 3. */
function readSpecial(
  reader: protobuf.Reader,
  type: Exclude<Scalar, 'string' | 'bool' | 'int32' | 'int64' | 'float64' | 'bytes'>,
  budget: DecodingBudget,
): unknown {
  const { numbers, texts } = readSmall(reader, budget);
  switch (type) {
    case 'Time':
    case 'MicroTime':
      return timeText(numbers.get(1) ?? 0, numbers.get(2) ?? 0, type);
    case 'Quantity':
      return texts.get(1)?.[0]?.toString('utf8') ?? '0';
    case 'IntOrString':
      return numbers.get(1) === 1 ? (texts.get(3)?.[0]?.toString('utf8') ?? '') : (numbers.get(2) ?? 0) | 0;
    case 'ExtraValue':
      return (texts.get(1) ?? []).map((text) => text.toString('utf8'));
    case 'RawExtension':
    case 'FieldsV1':
      return rawJson(texts.get(1)?.[0]);
  }
}

function readSmall(
  reader: protobuf.Reader,
  budget: DecodingBudget,
): { numbers: Map<number, number>; texts: Map<number, Buffer[]> } {
  const numbers = new Map<number, number>();
  const texts = new Map<number, Buffer[]>();
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const number = tag >>> 3;
    budget.spendValues(1);
    if ((tag & 7) === VARINT) numbers.set(number, toNumber(reader.int64()));
    else if ((tag & 7) === LENGTH_DELIMITED) {
      const known = texts.get(number);
      const text = Buffer.from(reader.bytes());
      if (known) known.push(text);
      else texts.set(number, [text]);
    } else reader.skipType(tag & 7);
  }
  return { numbers, texts };
}

/** A timestamp as JSON writes it. Go's zero time, 0001-01-01, means no time; Kubernetes writes it as an empty message. */
function timeText(seconds: number, nanos: number, type: 'Time' | 'MicroTime'): string | undefined {
  if (seconds === 0 && nanos === 0) return undefined;
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 0 || date.getUTCFullYear() > 9999)
    throw new Error('time out of range');
  const text = date.toISOString().slice(0, 19);
  return type === 'Time' ? `${text}Z` : `${text}.${String(Math.trunc(nanos / 1000)).padStart(6, '0')}Z`;
}

function rawJson(bytes: Buffer | undefined): unknown {
  return bytes === undefined || bytes.length === 0 ? undefined : (JSON.parse(bytes.toString('utf8')) as unknown);
}
