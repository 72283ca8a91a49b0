import { describe, expect, it } from 'vitest';
import { fieldErrorMessage } from '../../../lambdas/objects/FieldError.ts';
import { RequestBudget } from '../../../lambdas/objects/RequestBudget.ts';
import { validateSchema } from '../../../lambdas/registry/apiextensions/schema/validateSchema.ts';

function messagesOf(json: unknown, statusSubresource = false): string[] {
  return validateSchema(json, 'S', { statusSubresource, budget: new RequestBudget() }).map(fieldErrorMessage);
}

/** The messages of a schema whose only property `a` is the given one, without the way to it. */
function ofProperty(property: unknown): string[] {
  return messagesOf({ type: 'object', properties: { a: property } }).map((message) =>
    message.replaceAll('S.properties[a]', 'A'),
  );
}

const text = { type: 'string' };
const list = (more: object, items: object = text) => ({ type: 'array', items, ...more });

describe('validateSchema', () => {
  it.each([
    [{}, ['S.type: Required value: must not be empty at the root']],
    [{ type: 'array', items: text }, ['S.type: Invalid value: "array": must be object at the root']],
    [{ type: 'object', nullable: true }, ['S.nullable: Forbidden: nullable cannot be true at the root']],
    [
      { type: 'object', additionalProperties: text },
      ['S.additionalProperties: Forbidden: must not be used at the root'],
    ],
    [
      { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
      [
        'S.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
      ],
    ],
    [
      { type: 'object', anyOf: [{ properties: { b: { minLength: 1 } } }] },
      ['S.properties[b]: Required value: because it is defined in S.anyOf[0].properties[b]'],
    ],
    [
      { type: 'object', properties: { kind: { type: 'string', default: 'X' } } },
      ['S.properties[kind].default: Forbidden: must not be set in top-level kind'],
    ],
    [{ type: 'object', $schema: 'x' }, ['S: Invalid value: "": OpenAPIV3Schema \'schema\' is not supported']],
    [null, ['S.type: Required value: must not be empty at the root']],
  ])('the root %j', (schema, expected) => {
    expect(messagesOf(schema)).toEqual(expected);
  });

  it.each([
    [{}, ['A.type: Required value: must not be empty for specified object fields']],
    [
      { type: 'map' },
      [
        'A.type: Unsupported value: "map": supported values: "array", "boolean", "integer", "number", "object", "string"',
      ],
    ],
    [{ type: 'array' }, ['A.items: Required value: must be specified']],
    [list({}, {}), ['A.items.type: Required value: must not be empty for specified array items']],
    [{ type: 'array', items: [text] }, ['A.items: Forbidden: items must be a schema object and not an array']],
    [{ $ref: '#/x' }, ['A.$ref: Forbidden: $ref is not supported']],
    [
      list({ uniqueItems: true }),
      ['A.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic'],
    ],
    [
      { type: 'object', properties: { b: text }, additionalProperties: text },
      ['A.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'],
    ],
    [{ type: 'string', anyOf: [{ type: 'string' }] }, ['A.anyOf[0].type: Forbidden: must be empty to be structural']],
    [{ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }, []],
    [
      {
        'x-kubernetes-int-or-string': true,
        allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { minLength: 1 }],
      },
      [],
    ],
    [
      { type: 'string', pattern: '(' },
      [
        'A.pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `(`',
      ],
    ],
    [{ type: 'string', not: { default: 'x' } }, ['A.not.default: Forbidden: must be undefined to be structural']],
    [
      { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      ['A.type: Required value: must be object if x-kubernetes-embedded-resource is true'],
    ],
    [
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
      ['A.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined'],
    ],
    [
      { type: 'string', 'x-kubernetes-list-type': 'set' },
      ['A.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified'],
    ],
    [
      list({ 'x-kubernetes-list-type': 'set' }, { type: 'object' }),
      [
        'A.items.x-kubernetes-map-type: Invalid value: "null": must be atomic as item of a list with x-kubernetes-list-type=set',
      ],
    ],
    [
      list(
        { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
        { type: 'object', properties: { k: text } },
      ),
      [
        'A.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      ],
    ],
    [
      list(
        { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['x'] },
        { type: 'object', properties: { k: text } },
      ),
      ['A.x-kubernetes-list-map-keys: Invalid value: ["x"]: entries must all be names of item properties'],
    ],
    [
      list({ 'x-kubernetes-list-map-keys': ['k'] }),
      ['A.x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty'],
    ],
    [
      { type: 'string', default: 5 },
      ['A.default: Invalid value: "integer":  in body must be of type string: "integer"'],
    ],
    [{ type: 'object', default: { c: 1 } }, ['A.default: Invalid value: {"c":1}: must not have unknown fields']],
    [
      { type: 'object', default: {}, required: ['b'], properties: { b: { ...text, default: 'x' } } },
      ['A.default.b: Required value'],
    ],
    [
      {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
        default: { apiVersion: 'v1' },
      },
      ['A.default.kind: Required value'],
    ],
    [
      {
        ...text,
        'x-kubernetes-validations': [
          { rule: ' ' },
          { rule: 'a\nb' },
          { rule: 'true', message: 'a\nb' },
          { rule: 'true', reason: 'X' },
        ],
      },
      [
        'A.x-kubernetes-validations[0].rule: Required value: rule is not specified',
        'A.x-kubernetes-validations[1].message: Required value: message must be specified if rule contains line breaks',
        'A.x-kubernetes-validations[2].message: Invalid value: "a\\nb": must not contain line breaks',
        'A.x-kubernetes-validations[3].reason: Unsupported value: "X": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
      ],
    ],
    [
      {
        type: 'object',
        properties: { b: text },
        'x-kubernetes-validations': [
          { rule: 'true', fieldPath: '.c' },
          { rule: 'true', fieldPath: '.b' },
        ],
      },
      ['A.x-kubernetes-validations[0].fieldPath: Invalid value: ".c": must be a valid path'],
    ],
  ])('the property %j', (property, expected) => {
    expect(ofProperty(property)).toEqual(expected);
  });

  it('allows beside a status only what survives taking out its schema', () => {
    const schema = { type: 'object', oneOf: [{}] };
    expect(messagesOf(schema)).toEqual([]);
    expect(messagesOf(schema, true)[0]).toMatch(
      /^S: Invalid value: .*: only \[Description Type .* XValidations\] fields are allowed at the root of the schema if the status subresource is enabled$/,
    );
  });

  it.each([
    ['one pattern', { a: { type: 'string', pattern: 'a'.repeat(1_000_000) } }],
    [
      'many patterns',
      Object.fromEntries(
        Array.from({ length: 5_000 }, (_, index) => [
          `a${index}`,
          { type: 'string', pattern: `\\p{L}{1,1000}${index}` },
        ]),
      ),
    ],
  ])('refuses %s that would take long to compile', (_, properties) => {
    expect(messagesOf({ type: 'object', properties })).toEqual([
      'S: Invalid value: "": the patterns of the schema are too large to be compiled',
    ]);
  });

  it('takes the patterns that large definitions have', () => {
    const pattern = '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$';
    const properties = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`a${index}`, { type: 'string', pattern }]),
    );
    expect(messagesOf({ type: 'object', properties })).toEqual([]);
  });
});
