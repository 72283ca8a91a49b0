import protobuf from 'protobufjs';
import type { Json } from './componentOf.ts';

/**
 * Encodes a version 2 document in the protobuf of gnostic's `openapi.v2.Document`, the only form of version 2 that kubectl requests. It contains the types, which
 * kubectl uses to validate lists, and kinds that it does not find in version 3. Of the paths it contains only the query parameters and the kind of each PATCH:
 * kubectl before 1.27 looks there to find out whether the server knows `dryRun` and `fieldValidation`. Everything else would only make it larger.
 */
export function encodeDocumentV2({ swagger, info, paths, definitions }: Json): Uint8Array<ArrayBuffer> {
  const { title, version } = info as { readonly title: string; readonly version: string };
  const writer = protobuf.Writer.create();
  text(writer, DOCUMENT.swagger, swagger as string);
  message(writer, DOCUMENT.info, (nested) => {
    text(nested, 1, title);
    text(nested, 2, version);
  });
  message(writer, DOCUMENT.paths, (nested) => encodePaths(nested, paths as Json));
  message(writer, DOCUMENT.definitions, (nested) => namedSchemas(nested, definitions as Json));
  return new Uint8Array(writer.finish());
}

const DOCUMENT = { swagger: 1, info: 2, paths: 8, definitions: 9 };
const PATHS = { path: 2 };
const PATH_ITEM = { patch: 8 };
const OPERATION = { parameters: 8, vendorExtension: 13 };
const QUERY_PARAMETER = { in: 2, name: 4, type: 6 };
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

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly type?: string;
}

function encodePaths(writer: protobuf.Writer, paths: Json): void {
  for (const [path, item] of Object.entries(paths)) {
    const { patch } = item as { readonly patch?: Json };
    if (patch === undefined) continue;
    message(writer, PATHS.path, (named) => {
      text(named, 1, path);
      message(named, 2, (value) => message(value, PATH_ITEM.patch, (nested) => encodeOperation(nested, patch)));
    });
  }
}

function encodeOperation(writer: protobuf.Writer, operation: Json): void {
  const parameters = operation['parameters'] as readonly Parameter[];
  for (const parameter of parameters.filter((one) => one.in === 'query')) {
    message(writer, OPERATION.parameters, (item) => encodeQueryParameter(item, parameter));
  }
  encodeExtensions(writer, OPERATION.vendorExtension, operation);
}

/** Encodes a query parameter. gnostic nests it as an item, a parameter (not a reference), a parameter outside the body, a query parameter. */
function encodeQueryParameter(item: protobuf.Writer, { name, type, in: place }: Parameter): void {
  message(item, 1, (parameter) =>
    message(parameter, 2, (nonBody) =>
      message(nonBody, 3, (query) => {
        text(query, QUERY_PARAMETER.in, place);
        text(query, QUERY_PARAMETER.name, name);
        text(query, QUERY_PARAMETER.type, type);
      }),
    ),
  );
}

/** Encodes `properties` or `definitions`: a list of names with their schemas. */
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
  encodeExtensions(writer, SCHEMA.vendorExtension, schema);
}

/** Encodes the `x-…` extensions. Their values are YAML, and JSON is valid YAML. */
function encodeExtensions(writer: protobuf.Writer, field: number, of: Json): void {
  for (const [name, value] of Object.entries(of).filter(([key]) => key.startsWith('x-'))) {
    message(writer, field, (named) => {
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
