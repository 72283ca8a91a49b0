import { describe, expect, it } from 'vitest';
import { fieldErrorMessage } from '../../../lambdas/objects/FieldError.ts';
import { RequestBudget } from '../../../lambdas/objects/RequestBudget.ts';
import { compileSchema } from '../../../lambdas/registry/apiextensions/CustomSchema.ts';

/** A custom object whose schema is `type: object` with these properties of its spec. */
function specSchema(properties: Record<string, unknown>, spec: Record<string, unknown> = {}) {
  return compileSchema({ type: 'object', properties: { spec: { type: 'object', properties, ...spec } } });
}

function widget(spec: unknown) {
  const metadata = { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec };
}

describe('prune', () => {
  const text = { type: 'string' };
  const preserve = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  it.each([
    ['unknown fields', { a: text }, { a: 'x', b: 1, c: { d: 1 } }, { a: 'x' }, ['spec.b', 'spec.c']],
    [
      'unknown fields of items',
      { l: { type: 'array', items: { type: 'object', properties: { a: text } } } },
      { l: [{ a: '1' }, { b: 2 }] },
      { l: [{ a: '1' }, {}] },
      ['spec.l[1].b'],
    ],
    ['nothing where unknown fields are preserved', { p: preserve }, { p: { x: { y: 1 } } }, { p: { x: { y: 1 } } }, []],
    [
      'what is specified within preserved fields',
      { p: { ...preserve, properties: { k: { type: 'object' } } } },
      { p: { k: { z: 1 }, x: 1 } },
      { p: { k: {}, x: 1 } },
      ['spec.p.k.z'],
    ],
    [
      'what is in values of any kind',
      { m: { type: 'object', additionalProperties: true } },
      { m: { k: { z: 1 } } },
      { m: { k: {} } },
      ['spec.m.k.z'],
    ],
    [
      'no values of a map',
      { m: { type: 'object', additionalProperties: text } },
      { m: { k: 'v' } },
      { m: { k: 'v' } },
      [],
    ],
    [
      'no metadata of an embedded resource',
      { e: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: text } } },
      { e: { apiVersion: 'v1', kind: 'X', metadata: { name: 'n' }, data: 1 } },
      { e: { apiVersion: 'v1', kind: 'X', metadata: { name: 'n' } } },
      ['spec.e.data'],
    ],
    ['what is called __proto__', { a: text }, JSON.parse('{"__proto__":{"x":1}}'), {}, ['spec.__proto__']],
  ])('removes %s', (_, properties, spec, expected, removed) => {
    const draft = widget(spec);
    expect(specSchema(properties).prune(draft)).toEqual(removed);
    expect(draft).toEqual(widget(expected));
  });

  it('keeps everything of a definition that preserves unknown fields', () => {
    const draft = widget({ any: 1 });
    expect(compileSchema({ type: 'object' }, { preserveUnknownFields: true }).prune(draft)).toEqual([]);
    expect(draft).toEqual(widget({ any: 1 }));
  });
});

describe('applyDefaults', () => {
  const one = { type: 'integer', default: 1 };
  const inner = { type: 'object', default: {}, properties: { n: one } };
  it.each([
    ['an absent field', { n: one }, {}, { n: 1 }],
    ['no field that is there', { n: one }, { n: 0 }, { n: 0 }],
    ['fields of a default', { o: inner }, {}, { o: { n: 1 } }],
    ['a null that may not be', { n: one }, { n: null }, { n: 1 }],
    ['no null that may be', { n: { ...one, nullable: true } }, { n: null }, { n: null }],
    ['fields of items', { l: { type: 'array', items: inner } }, { l: [{}, { n: 3 }] }, { l: [{ n: 1 }, { n: 3 }] }],
    [
      'values that are null',
      { m: { type: 'object', additionalProperties: inner } },
      { m: { k: null } },
      { m: { k: { n: 1 } } },
    ],
  ])('fills in %s', (_, properties, spec, expected) => {
    const draft = widget(spec);
    specSchema(properties).applyDefaults(draft, new RequestBudget());
    expect(draft.spec).toEqual(expected);
  });

  it('copies a default for each object', () => {
    const schema = specSchema({ o: inner });
    const [first, second] = [widget({}), widget({})];
    for (const draft of [first, second]) schema.applyDefaults(draft, new RequestBudget());
    (first.spec as { o: { n: number } }).o.n = 9;
    expect(second.spec).toEqual({ o: { n: 1 } });
  });

  it('drops a null that may be neither null nor defaulted, but not in lists', () => {
    const draft = widget({ a: null, n: null, l: [null] });
    const schema = specSchema({ a: { type: 'string' }, n: one, l: { type: 'array', items: { type: 'string' } } });
    schema.dropNulls(draft);
    expect(draft.spec).toEqual({ n: null, l: [null] });
  });
});

describe('coerce', () => {
  const schema = specSchema({ e: { type: 'object', 'x-kubernetes-embedded-resource': true } });
  it('reads the metadata of embedded resources and removes what it does not know', () => {
    const draft = widget({ e: { apiVersion: 'v1', kind: 'X', metadata: { name: 'n', colour: 'red', labels: {} } } });
    expect(schema.coerce(draft)).toEqual({ status: 'coerced', removed: ['spec.e.metadata.colour'] });
    expect(draft.spec).toEqual({ e: { apiVersion: 'v1', kind: 'X', metadata: { name: 'n' } } });
  });

  it.each([
    [{ kind: 1 }, 'spec.e.kind: Invalid value: 1: must be a string'],
    [
      { metadata: 'x' },
      'spec.e.metadata: Invalid value: "x": json: cannot unmarshal string into Go value of type v1.ObjectMeta',
    ],
    [
      { metadata: { labels: { a: 1 } } },
      'spec.e.metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    ],
    [
      { metadata: { finalizers: 'x' } },
      'spec.e.metadata: Invalid value: {"finalizers":"x"}: json: cannot unmarshal string into Go struct field ObjectMeta.finalizers of type []string',
    ],
  ])('refuses %j', (embedded, message) => {
    const outcome = schema.coerce(widget({ e: embedded }));
    expect(outcome.status === 'refused' && fieldErrorMessage(outcome.error)).toBe(message);
  });

  it('drops malformed fields of what is stored already', () => {
    const draft = widget({ e: { kind: 1, metadata: { name: 'n', labels: 3 } } });
    expect(schema.coerce(draft, true)).toEqual({ status: 'coerced', removed: [] });
    expect(draft.spec).toEqual({ e: { metadata: { name: 'n' } } });
  });
});

function messagesOf(schema: ReturnType<typeof compileSchema>, spec: unknown, old?: unknown): string[] {
  return schema
    .validate(widget(spec), old === undefined ? undefined : widget(old), new RequestBudget())
    .map(fieldErrorMessage);
}

describe('validate', () => {
  it.each([
    [
      'a bound',
      { type: 'integer', minimum: 3 },
      2,
      ['spec.v: Invalid value: 2: spec.v in body should be greater than or equal to 3'],
    ],
    [
      'an exclusive bound',
      { type: 'number', maximum: 3, exclusiveMaximum: true },
      3,
      ['spec.v: Invalid value: 3: spec.v in body should be less than 3'],
    ],
    [
      'a factor',
      { type: 'number', multipleOf: 0.5 },
      0.7,
      ['spec.v: Invalid value: 0.7: spec.v in body should be a multiple of 0.5'],
    ],
    ['a maximal length', { type: 'string', maxLength: 2 }, 'äöü', ['spec.v: Too long: may not be more than 2 bytes']],
    [
      'a pattern',
      { type: 'string', pattern: '^[a-z]+$' },
      'A',
      ['spec.v: Invalid value: "A": spec.v in body should match \'^[a-z]+$\''],
    ],
    [
      'an enum',
      { type: 'string', enum: ['a', 'b'] },
      'c',
      ['spec.v: Unsupported value: "c": supported values: "a", "b"'],
    ],
    [
      'a type',
      { type: 'object' },
      'x',
      ['spec.v: Invalid value: "string": spec.v in body must be of type object: "string"'],
    ],
    [
      'an integer',
      { type: 'integer' },
      3.5,
      [
        'spec.v: Invalid value: "number": spec.v in body must be of type integer: "number"',
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.v',
      ],
    ],
    [
      'an integer or a text',
      { 'x-kubernetes-int-or-string': true },
      true,
      ['spec.v: Invalid value: "boolean": spec.v in body must be of type integer,string: "boolean"'],
    ],
    [
      'a format',
      { type: 'string', format: 'ipv4' },
      '1.2.3',
      ['spec.v: Invalid value: "1.2.3": spec.v in body must be of type ipv4: "1.2.3"'],
    ],
    [
      'one of two',
      { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      {},
      [
        '<nil>: Invalid value: "": "spec.v" must validate one and only one schema (oneOf). Found none valid',
        'spec.v.a: Required value',
      ],
    ],
    [
      'not a schema',
      { type: 'string', not: { enum: ['x'] } },
      'x',
      ['<nil>: Invalid value: "": "spec.v" must not validate the schema (not)'],
    ],
    [
      'the number of members',
      { type: 'object', maxProperties: 1, additionalProperties: { type: 'string' } },
      { a: '1', b: '2' },
      ['spec.v: Too many: 2: must have at most 1 items'],
    ],
    [
      'no other members',
      { type: 'object', additionalProperties: false },
      { a: 1 },
      ['spec.v.a: Invalid value: "": spec.v.a in body is a forbidden property'],
    ],
    [
      'a set',
      { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      ['a', 'b', 'a', 'a'],
      ['spec.v[2]: Duplicate value: "a"'],
    ],
    [
      'an embedded resource',
      { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      { kind: 'A B' },
      [
        'spec.v.apiVersion: Required value',
        "spec.v.kind: Invalid value: \"A B\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
  ])('demands %s', (_, schema, value, expected) => {
    expect(messagesOf(specSchema({ v: schema }), { v: value })).toEqual(expected);
  });

  it('matches a pattern that would explode in a backtracking engine', () => {
    const schema = specSchema({ v: { type: 'string', pattern: '^(a+)+$' } });
    expect(messagesOf(schema, { v: `${'a'.repeat(10_000)}!` })).toHaveLength(1);
  });

  it.each([
    [
      'a value that did not change',
      { v: { type: 'integer', minimum: 3 }, w: { type: 'string' } },
      { v: 1, w: 'b' },
      { v: 1, w: 'a' },
      0,
    ],
    ['a value that changed', { v: { type: 'integer', minimum: 3 } }, { v: 2 }, { v: 1 }, 1],
    [
      'a field that is missing as before, beside one that changed',
      { v: { type: 'object', required: ['a'], properties: { b: { type: 'string' } } } },
      { v: { b: '2' } },
      { v: { b: '1' } },
      1,
    ],
    [
      'an item with the same key',
      {
        v: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: { type: 'object', properties: { k: { type: 'string' }, n: { type: 'integer', maximum: 1 } } },
        },
      },
      {
        v: [
          { k: 'new', n: 1 },
          { k: 'x', n: 5 },
        ],
      },
      { v: [{ k: 'x', n: 5 }] },
      0,
    ],
    [
      'an item of an atomic list that changed',
      { v: { type: 'array', items: { type: 'integer', maximum: 1 } } },
      { v: [5, 1] },
      { v: [5] },
      1,
    ],
    [
      'a list that held something twice already',
      { v: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } } },
      { v: ['a', 'a', 'a'] },
      { v: ['a', 'a'] },
      0,
    ],
  ])('on update: %s', (_, properties, spec, old, errorCount) => {
    expect(messagesOf(specSchema(properties), spec, old)).toHaveLength(errorCount);
  });
});
