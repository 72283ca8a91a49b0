import { describe, expect, it } from 'vitest';
import { fieldErrorMessage } from '../../../lambdas/objects/FieldError.ts';
import { RequestBudget } from '../../../lambdas/objects/RequestBudget.ts';
import { compileSchema } from '../../../lambdas/registry/apiextensions/CustomSchema.ts';

function widget(spec: unknown, labels: Record<string, string> = {}) {
  const metadata = { name: 'a', labels, uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec };
}

/** The messages for a value of the property `v` of the spec, before and after. */
function messagesOf(schema: object, value: unknown, old?: unknown): string[] {
  const compiled = compileSchema({
    type: 'object',
    properties: { spec: { type: 'object', properties: { v: schema } } },
  });
  const before = old === undefined ? undefined : widget({ v: old });
  return compiled.validate(widget({ v: value }), before, new RequestBudget()).map(fieldErrorMessage);
}

const rules = (...list: object[]) => ({ 'x-kubernetes-validations': list });
const number = (...list: object[]) => ({ type: 'integer', ...rules(...list) });

describe('evaluateRules', () => {
  it.each([
    [number({ rule: 'self > 0' }), 0, ['spec.v: Invalid value: 0: failed rule: self > 0']],
    [number({ rule: 'self > 0', message: ' told ' }), 0, ['spec.v: Invalid value: 0: told']],
    [
      number({ rule: 'self > 0', message: 'told', messageExpression: '"got " + string(self)' }),
      0,
      ['spec.v: Invalid value: 0: got 0'],
    ],
    [
      number({ rule: 'self > 0', message: 'told', messageExpression: 'string(1 / self)' }),
      0,
      ['spec.v: Invalid value: 0: told'],
    ],
    [number({ rule: 'self > 0', reason: 'FieldValueForbidden' }), 0, ['spec.v: Forbidden: failed rule: self > 0']],
    [number({ rule: 'self > 0', reason: 'FieldValueDuplicate' }), 0, ['spec.v: Duplicate value: 0']],
    [
      number({ rule: '1 / self > 0' }),
      0,
      ['spec.v: Invalid value: "integer": division by zero evaluating rule: 1 / self > 0'],
    ],
    [
      { 'x-kubernetes-int-or-string': true, ...rules({ rule: 'self > 5' }) },
      'x',
      [
        'spec.v: Invalid value: "": \'no such overload\': call arguments did not match a supported operator, function or macro signature for rule: self > 5',
      ],
    ],
    [
      {
        type: 'object',
        properties: { a: { type: 'string' } },
        ...rules({ rule: 'has(self.a)', message: 'a is wanted', fieldPath: '.a', reason: 'FieldValueRequired' }),
      },
      {},
      ['spec.v.a: Required value: a is wanted'],
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, ...rules({ rule: 'has(self.a)' }) },
      {},
      ['spec.v: Invalid value: failed rule: has(self.a)'],
    ],
    [
      { type: 'array', items: number({ rule: 'self > 0' }) },
      [1, 0],
      ['spec.v[1]: Invalid value: 0: failed rule: self > 0'],
    ],
    [
      { type: 'object', additionalProperties: number({ rule: 'self > 0' }) },
      { k: 0 },
      ['spec.v[k]: Invalid value: 0: failed rule: self > 0'],
    ],
    [
      { type: 'object', properties: { 'a-b': { type: 'string' } }, ...rules({ rule: 'self.a__dash__b == "x"' }) },
      { 'a-b': 'x' },
      [],
    ],
    [{ type: 'string', format: 'duration', ...rules({ rule: 'self < duration("1h")' }) }, '30m', []],
    [{ type: 'string', format: 'byte', ...rules({ rule: 'self == b"abc"' }) }, 'YWJj', []],
    [
      {
        type: 'array',
        items: { type: 'string' },
        'x-kubernetes-list-type': 'set',
        ...rules({ rule: 'self == ["b", "a"]' }),
      },
      ['a', 'b'],
      [],
    ],
    [
      number({ rule: 'self > 0' }),
      'x',
      [
        'spec.v: Invalid value: "string": spec.v in body must be of type integer: "string"',
        '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
      ],
    ],
    [{ type: 'integer', nullable: true, ...rules({ rule: 'self > 0' }) }, null, []],
  ])('%j judges %j', (schema, value, expected) => {
    expect(messagesOf(schema, value)).toEqual(expected);
  });

  it.each([
    ['a transition rule, of a new object', number({ rule: 'self >= oldSelf' }), 1, undefined, 0],
    ['a transition rule, of a change', number({ rule: 'self >= oldSelf' }), 1, 2, 1],
    [
      'a rule with an optional old value, of a new object',
      number({ rule: 'self == 0 || oldSelf.hasValue()', optionalOldSelf: true }),
      1,
      undefined,
      1,
    ],
    [
      'a rule with an optional old value, of a change',
      number({ rule: 'self == oldSelf.value() + 1', optionalOldSelf: true }),
      2,
      1,
      0,
    ],
    ['a rule for what was wrong before and is the same', number({ rule: 'self > 5' }), 1, 1, 0],
    ['a rule for what was wrong before and is wrong in another way', number({ rule: 'self > 5' }), 2, 1, 1],
    [
      'a member of an atomic map',
      {
        type: 'object',
        'x-kubernetes-map-type': 'atomic',
        properties: { n: number({ rule: 'self >= oldSelf' }) },
      },
      { n: 1 },
      { n: 5 },
      1,
    ],
    [
      'an item with the same key',
      {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', properties: { k: { type: 'string' }, n: number({ rule: 'self >= oldSelf' }) } },
      },
      [
        { k: 'b', n: 1 },
        { k: 'a', n: 1 },
      ],
      [{ k: 'a', n: 5 }],
      1,
    ],
  ])('on update: %s', (_, schema, value, old, count) => {
    expect(messagesOf(schema, value, old)).toHaveLength(count);
  });

  it('takes the null of a nullable field for its absence', () => {
    const properties = { f: { type: 'string', nullable: true } };
    const judged = (rule: string) =>
      messagesOf({ type: 'object', properties, ...rules({ rule }) }, { f: null }).map((message) =>
        message.slice(0, 80),
      );
    expect(judged('!has(self.f)')).toEqual([]);
    expect(judged('self.f == "a"')).toEqual([expect.stringContaining('no such key: f')]);
  });

  it('warns of what a rule refuses and may stay', () => {
    const compiled = compileSchema({ type: 'object', properties: { spec: number({ rule: 'self > 5' }) } });
    expect(compiled.judge(widget(1), widget(1), new RequestBudget())).toEqual({
      errors: [],
      warnings: ['spec: Invalid value: 1: failed rule: self > 5'],
    });
  });

  it('sees names of the object at its root', () => {
    const compiled = compileSchema({
      type: 'object',
      ...rules({ rule: 'self.metadata.name == "b" && self.kind == "Widget"', message: 'named b' }),
    });
    expect(compiled.validate(widget({}), undefined, new RequestBudget()).map(fieldErrorMessage)).toEqual([
      '<nil>: Invalid value: named b',
    ]);
  });

  it('ends all rules of an object when one has cost too much', () => {
    const items = { type: 'integer' };
    const schema = {
      type: 'array',
      items,
      ...rules({ rule: 'self.all(a, self.all(b, a + b >= 0))' }, { rule: 'false' }),
    };
    const list = Array.from({ length: 2_000 }, () => 1);
    expect(messagesOf(schema, list)).toEqual([
      'spec.v: Invalid value: "array": \'operation cancelled: actual cost limit exceeded\': no further validation rules will be run due to call cost exceeds limit for rule: self.all(a, self.all(b, a + b >= 0))',
    ]);
  });
});
