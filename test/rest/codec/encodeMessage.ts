import protobuf from 'protobufjs';
import type { FieldSchema, Schema } from '../../../lambdas/rest/schema/schemaOf.ts';

type Struct = Record<string, unknown>;

/** Encodes an object in protobuf as Kubernetes' clients do. An independent inverse of the decoder. */
export function encodeEnvelope(apiVersion: string, kind: string, object: Struct, schema: Schema): Uint8Array {
  const typeMeta = protobuf.Writer.create().uint32(10).string(apiVersion).uint32(18).string(kind).finish();
  const unknown = protobuf.Writer.create().uint32(10).bytes(typeMeta).uint32(18).bytes(encodeMessage(object, schema));
  return Buffer.concat([Buffer.from('k8s\0'), unknown.uint32(26).string('').uint32(34).string('').finish()]);
}

function encodeMessage(struct: Struct, schema: Schema): Uint8Array {
  const writer = protobuf.Writer.create();
  for (const field of schema.wireFields) {
    const value = struct[field.name];
    if (field.inlined && typeof field.of !== 'string')
      writer.uint32((field.number << 3) | 2).bytes(encodeMessage(struct, field.of));
    else if (value === undefined) continue;
    else if (field.shape === 'list')
      for (const item of value as unknown[]) encodeValue(writer, item, field, field.number);
    else if (field.shape === 'map')
      for (const entry of Object.entries(value as Struct)) encodeEntry(writer, entry, field);
    else encodeValue(writer, value, field, field.number);
  }
  return writer.finish();
}

function encodeEntry(writer: protobuf.Writer, [key, value]: [string, unknown], field: FieldSchema): void {
  const entry = protobuf.Writer.create().uint32(10).string(key);
  encodeValue(entry, value, field, 2);
  writer.uint32((field.number << 3) | 2).bytes(entry.finish());
}

function encodeValue(writer: protobuf.Writer, value: unknown, { of }: FieldSchema, number: number): void {
  if (of === 'bool') writer.uint32(number << 3).bool(value as boolean);
  else if (of === 'int32') writer.uint32(number << 3).int32(value as number);
  else if (of === 'int64') writer.uint32(number << 3).int64(value as number);
  else if (of === 'float64') writer.uint32((number << 3) | 1).double(value as number);
  else if (of === 'string') writer.uint32((number << 3) | 2).string(value as string);
  else writer.uint32((number << 3) | 2).bytes(encodeBytes(value, of));
}

/** A union is written in JSON as one of its members. */
function memberOf(value: unknown, { union }: Schema): Struct {
  if (union === undefined) return value as Struct;
  if (typeof value === 'boolean') return { allows: value };
  if (Array.isArray(value)) return union === 'structs' ? { jSONSchemas: value } : { property: value };
  return { schema: value };
}

function encodeBytes(value: unknown, of: FieldSchema['of']): Uint8Array {
  if (typeof of !== 'string') return encodeMessage(memberOf(value, of), of);
  const writer = protobuf.Writer.create();
  switch (of) {
    case 'bytes':
      return Buffer.from(value as string, 'base64');
    case 'Time':
    case 'MicroTime': {
      const micros = Number(/\.(\d+)Z/.exec(value as string)?.[1] ?? 0);
      const seconds = Math.floor(Date.parse(value as string) / 1000);
      return writer
        .uint32(8)
        .int64(seconds)
        .uint32(16)
        .int32(micros * 1000)
        .finish();
    }
    case 'IntOrString':
      if (typeof value === 'string')
        return writer.uint32(8).int64(1).uint32(16).int32(0).uint32(26).string(value).finish();
      return writer
        .uint32(8)
        .int64(0)
        .uint32(16)
        .int32(value as number)
        .uint32(26)
        .string('')
        .finish();
    case 'ExtraValue':
      for (const item of value as string[]) writer.uint32(10).string(item);
      return writer.finish();
    case 'RawExtension':
    case 'FieldsV1':
      return writer.uint32(10).string(JSON.stringify(value)).finish();
    case 'Quantity':
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'float64':
      return writer
        .uint32(10)
        .string(value as string)
        .finish();
  }
}
