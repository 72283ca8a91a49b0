import protobuf from 'protobufjs';
import type { Json } from './componentOf.ts';

/**
 * The types of a version 2 document in the protobuf of gnostic's `openapi.v2.Document`, which is the only form of it that kubectl asks for: it validates lists
 * and kinds that it does not find in version 3 by it. Paths, which it does not look at, are left out.
 */
export function encodeDocumentV2({ swagger, info, definitions }: Json): Uint8Array<ArrayBuffer> {
  const { title, version } = info as { readonly title: string; readonly version: string };
  const writer = protobuf.Writer.create();
  text(writer, DOCUMENT.swagger, swagger as string);
  message(writer, DOCUMENT.info, (nested) => {
    text(nested, 1, title);
    text(nested, 2, version);
  });
  message(writer, DOCUMENT.paths, () => {});
  message(writer, DOCUMENT.definitions, (nested) => namedSchemas(nested, definitions as Json));
  return new Uint8Array(writer.finish());
}

const DOCUMENT = { swagger: 1, info: 2, paths: 8, definitions: 9 };
const SCHEMA = {
  $ref: 1,
  format: 2,
  description: 4,
  required: 19,
  additionalProperties: 21,
  type: 22,
  items: 23,
  properties: 25,
  vendorExtension: 31,
};

type Write = (writer: protobuf.Writer) => void;

/** What `properties` and `definitions` are: a list of names with their schemas. */
function namedSchemas(writer: protobuf.Writer, schemas: Json): void {
  for (const [name, schema] of Object.entries(schemas)) {
    message(writer, 1, (named) => {
      text(named, 1, name);
      message(named, 2, (value) => encodeSchema(value, schema as Json));
    });
  }
}

function encodeSchema(writer: protobuf.Writer, schema: Json): void {
  const { $ref, format, description, required, additionalProperties, type, items, properties } = schema;
  text(writer, SCHEMA.$ref, $ref as string | undefined);
  text(writer, SCHEMA.format, format as string | undefined);
  text(writer, SCHEMA.description, description as string | undefined);
  for (const name of (required ?? []) as readonly string[]) text(writer, SCHEMA.required, name);
  const inner = (value: unknown) => (nested: protobuf.Writer) =>
    message(nested, 1, (one) => encodeSchema(one, value as Json));
  if (additionalProperties) message(writer, SCHEMA.additionalProperties, inner(additionalProperties));
  if (type) message(writer, SCHEMA.type, (nested) => text(nested, 1, type as string));
  if (items) message(writer, SCHEMA.items, inner(items));
  if (properties) message(writer, SCHEMA.properties, (nested) => namedSchemas(nested, properties as Json));
  encodeExtensions(writer, schema);
}

/** Their values are YAML, of which JSON is a part. */
function encodeExtensions(writer: protobuf.Writer, schema: Json): void {
  for (const [name, value] of Object.entries(schema).filter(([key]) => key.startsWith('x-'))) {
    message(writer, SCHEMA.vendorExtension, (named) => {
      text(named, 1, name);
      message(named, 2, (any) => text(any, 2, JSON.stringify(value)));
    });
  }
}

function text(writer: protobuf.Writer, field: number, value: string | undefined): void {
  if (value) writer.uint32((field << 3) | 2).string(value);
}

function message(writer: protobuf.Writer, field: number, write: Write): void {
  const nested = protobuf.Writer.create();
  write(nested);
  writer.uint32((field << 3) | 2).bytes(nested.finish());
}
