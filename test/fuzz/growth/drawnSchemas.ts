import { kindSchema } from '../../../lambdas/rest/schema/kindSchema.ts';
import type { Schema } from '../../../lambdas/rest/schema/schemaOf.ts';
import { times } from './growingBodies.ts';

const TEXT = { type: 'string' };
const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const texts = (count: number) => times(count, (index) => `a${index}`);
const members = (count: number, schema: object) => Object.fromEntries(texts(count).map((name) => [name, schema]));
let schemas = 0;
/** A pattern that no schema had before: one that has been compiled takes nothing more. */
const newPattern = (text: string) => `${text}|${(schemas += 1)}$`;
const patterns = (count: number) => times(count, (index) => ({ pattern: newPattern(`^x${index}`) }));
const nested = (depth: number): object =>
  depth <= 1 ? TEXT : { type: 'array', maxItems: 10, items: nested(depth - 1) };

/** For each keyword of a schema, a schema in which it is as large as asked for. */
const GROWN: Readonly<Record<string, (size: number) => object>> = {
  enum: (size) => ({ ...TEXT, enum: texts(size) }),
  oneOf: (size) => ({ ...TEXT, oneOf: patterns(size) }),
  anyOf: (size) => ({ ...TEXT, anyOf: patterns(size) }),
  allOf: (size) => ({ ...TEXT, allOf: patterns(size) }),
  not: (size) => ({ ...TEXT, not: { enum: texts(size) } }),
  pattern: (size) => ({ ...TEXT, pattern: newPattern(`^(.{0,${Math.min(size, 1_000)}})+x`) }),
  default: (size) => ({ type: 'object', properties: { a: { ...ANYTHING, default: { list: texts(size) } } } }),
  properties: (size) => ({ type: 'object', properties: members(size, { ...TEXT, default: 'd' }) }),
  additionalProperties: (size) => ({ type: 'object', additionalProperties: { ...TEXT, enum: texts(size) } }),
  items: (size) => nested(Math.min(size, 20)),
  required: (size) => ({ type: 'object', properties: members(size, TEXT), required: texts(size) }),
  'x-kubernetes-list-map-keys': (size) => ({
    type: 'array',
    items: { type: 'object', properties: members(size, TEXT), required: texts(size) },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': texts(size),
  }),
  'x-kubernetes-validations': (size) => ({
    ...TEXT,
    maxLength: 10,
    'x-kubernetes-validations': times(size, (index) => ({ rule: `self != "x${index}"` })),
  }),
};

/** What takes the same however large it is, or is refused in the schemas of definitions. */
const NOT_GROWN = new Set(
  `id $schema $ref description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength maxItems minItems uniqueItems
  multipleOf maxProperties minProperties patternProperties dependencies additionalItems definitions externalDocs example nullable
  x-kubernetes-preserve-unknown-fields x-kubernetes-embedded-resource x-kubernetes-int-or-string x-kubernetes-list-type
  x-kubernetes-map-type`.split(/\s+/),
);

/** The keywords that a definition's schema can have, as the API's own types say. */
export function keywords(): string[] {
  const path = ['spec', 'versions', 'schema', 'openAPIV3Schema'];
  const schema = path.reduce<Schema | undefined>(
    (type, name) => {
      const of = type?.fields.get(name)?.of;
      return typeof of === 'object' ? of : undefined;
    },
    kindSchema('apiextensions.k8s.io/v1', 'CustomResourceDefinition'),
  );
  return [...(schema?.fields.keys() ?? [])].filter((name) => !NOT_GROWN.has(name));
}

/** A schema in which a keyword is so large. */
export function grownSchema(keyword: string, size: number): object {
  const grown = GROWN[keyword];
  if (!grown) throw new Error(`how does ${keyword} grow? Say so in GROWN, or in NOT_GROWN that it does not`);
  return grown(size);
}

/** What the items of a custom object are. */
export const VALUES = {
  texts: (index: number) => `b${index}`,
  'equal texts': () => 'a1',
  objects: () => ({}),
  'objects with a member': (index: number) => ({ a1: `a${index}` }),
  lists: (index: number) => [{ a0: `a${index}` }, { a0: 'a' }],
  numbers: (index: number) => index,
  nulls: () => null,
} as const;
