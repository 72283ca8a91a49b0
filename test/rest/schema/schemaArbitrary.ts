import * as fc from '../../support/seededFastCheck.ts';
import type { Scalar } from '../../../lambdas/rest/schema/parseField.ts';
import type { FieldSchema, Schema } from '../../../lambdas/rest/schema/schemaOf.ts';

type Struct = Record<string, unknown>;

const text = fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' });

/** Canonical values, without the types' zero values, which protobuf cannot distinguish from absence. */
const SCALARS: Readonly<Record<Scalar, fc.Arbitrary<unknown>>> = {
  string: text,
  bool: fc.constant(true),
  int32: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  int64: fc.integer({ min: -(2 ** 53) + 1, max: -1 }),
  float64: fc.constantFrom(0.5, -3, 1e100),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 5 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  Time: fc.integer({ min: 1, max: 4e9 }).map((seconds) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`),
  MicroTime: fc
    .tuple(fc.integer({ min: 1, max: 4e9 }), fc.integer({ min: 0, max: 999_999 }))
    .map(
      ([seconds, micros]) =>
        `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`,
    ),
  Quantity: fc.constantFrom('0', '1', '100m', '2Gi', '15k'),
  IntOrString: fc.oneof(fc.integer({ min: -100, max: 100 }), fc.constantFrom('25%', 'http')),
  RawExtension: fc.constant({ anything: [1, { at: 'all' }] }),
  FieldsV1: fc.constant({ 'f:metadata': {} }),
  ExtraValue: fc.array(text, { minLength: 1, maxLength: 2 }),
};

/** Generates objects of a schema, nested a few levels deep, each with a few of its fields. */
export function structOf(schema: Schema, depth = 5): fc.Arbitrary<Struct> {
  const fields = [...schema.fields.values()].filter(({ of }) => depth > 0 || typeof of === 'string');
  return fc
    .subarray(fields, { maxLength: Math.min(4, fields.length) })
    .chain(
      (some) =>
        fc.record(Object.fromEntries(some.map((field) => [field.name, valueOf(field, depth)]))) as fc.Arbitrary<Struct>,
    )
    .map((struct) => ({ ...struct }));
}

function valueOfSchema(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (schema.union === undefined) return structOf(schema, depth);
  const [struct] = [...schema.fields.values()].flatMap(({ of }) => (typeof of === 'string' ? [] : [of]));
  if (!struct) throw new Error(`${schema.name} has no struct`);
  const structs = fc.array(structOf(struct, depth - 1), { minLength: 1, maxLength: 2 });
  const other = { boolean: fc.boolean(), structs, strings: fc.array(text, { minLength: 1, maxLength: 2 }) };
  return fc.oneof(structOf(struct, depth - 1), other[schema.union]);
}

function valueOf({ of, shape }: FieldSchema, depth: number): fc.Arbitrary<unknown> {
  const one = typeof of === 'string' ? SCALARS[of] : valueOfSchema(of, depth - 1);
  if (shape === 'list') return fc.array(one, { minLength: 1, maxLength: 2 });
  return shape === 'map' ? fc.dictionary(text, one, { minKeys: 1, maxKeys: 2 }).map((map) => ({ ...map })) : one;
}
