import * as fc from '../support/seededFastCheck.ts';
import { describe, expect, it } from 'vitest';
import { RequestBudget } from '../../lambdas/objects/RequestBudget.ts';
import { compileSchema } from '../../lambdas/registry/apiextensions/CustomSchema.ts';
import { validateSchema } from '../../lambdas/registry/apiextensions/schema/validateSchema.ts';
import { compileExpression } from '../../lambdas/registry/cel/compileExpression.ts';
import { evaluate } from '../../lambdas/registry/cel/evaluate/evaluate.ts';
import { STANDARD_FUNCTIONS } from '../../lambdas/registry/cel/functions/standardFunctions.ts';
import { toCelValue } from '../../lambdas/registry/apiextensions/rules/toCelValue.ts';

const NAMES = ['a', 'b', 'c-d', 'if', '__proto__'];

/** Schemas of the kind that definitions have, sound ones. */
const { schema: soundSchema } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<Record<string, unknown>>(
      { type: 'string', maxLength: 5 },
      { type: 'string', pattern: '^(a+)+$', default: 'a' },
      { type: 'integer', minimum: 0, default: 1 },
      { type: 'number', multipleOf: 0.5 },
      { type: 'boolean', nullable: true },
      { 'x-kubernetes-int-or-string': true },
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    ),
    fc.record({
      type: fc.constant('array'),
      items: tie('schema'),
      'x-kubernetes-list-type': fc.constantFrom('atomic', 'set'),
    }),
    fc.record({ type: fc.constant('object'), additionalProperties: tie('schema') }),
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom(...NAMES), tie('schema'), { maxKeys: 4 }),
      required: fc.subarray(NAMES, { maxLength: 1 }),
      'x-kubernetes-validations': fc.constantFrom(
        [],
        [{ rule: 'has(self.a) || self != oldSelf' }],
        [{ rule: 'size(self) < 3' }],
      ),
    }),
  ),
}));

const json = fc.jsonValue({ maxDepth: 4 });

function widget(spec: unknown) {
  const metadata = { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec };
}

function ofSpec(spec: unknown) {
  return compileSchema({ type: 'object', properties: { spec } });
}

describe('custom schemas', () => {
  it('answer anything with errors, never with an exception', () => {
    fc.assert(
      fc.property(json, json, (schema, value) => {
        validateSchema(schema, 'S', { statusSubresource: true, budget: new RequestBudget() });
        const compiled = compileSchema(schema);
        const draft = widget(value);
        compiled.dropNulls(draft);
        compiled.applyDefaults(draft, new RequestBudget());
        compiled.prune(draft);
        compiled.coerce(draft);
        compiled.validate(draft, widget(value), new RequestBudget());
      }),
    );
  });

  it('prune and fill in once: a second time changes nothing', () => {
    fc.assert(
      fc.property(soundSchema, json, (schema, value) => {
        const compiled = ofSpec(schema);
        const draft = widget(value);
        const settle = () => {
          compiled.dropNulls(draft);
          compiled.applyDefaults(draft, new RequestBudget());
          compiled.prune(draft);
        };
        settle();
        const once = JSON.stringify(draft);
        settle();
        expect(JSON.stringify(draft)).toBe(once);
        expect(compiled.prune(draft)).toEqual([]);
      }),
    );
  });

  it('let everything stay that did not change and is not unknown to the schema', () => {
    fc.assert(
      fc.property(soundSchema, json, (schema, value) => {
        fc.pre(!/embedded|preserve/.test(JSON.stringify(schema)));
        const compiled = ofSpec(schema);
        const object = widget(value);
        compiled.prune(object);
        const messages = compiled.validate(object, structuredClone(object), new RequestBudget());
        expect(messages.filter(({ detail }) => !detail.includes('rule'))).toEqual([]);
      }),
    );
  });
});

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      'x',
      'x.a',
      'x.b[0]',
      'x.?a',
      '1',
      '2.5',
      '3u',
      '"é"',
      'b"a"',
      'true',
      'null',
      '[]',
      '{}',
      '[1, 2]',
      '{"a": 1}',
      'duration("1h")',
      'timestamp("2024-01-01T00:00:00Z")',
      'quantity("1Gi")',
      'ip("::1")',
      'optional.of(1)',
      'int',
    ),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('+', '-', '*', '/', '%', '==', '!=', '<', '>=', '&&', '||', 'in'),
        tie('expression'),
      )
      .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('all', 'exists', 'exists_one', 'map', 'filter'), tie('expression'))
      .map(([a, macro, b]) => `${a}.${macro}(v, ${b})`),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom(
          'size()',
          'matches("(a+)+$")',
          'indexOf("a")',
          'sort()',
          'first()',
          'orValue(1)',
          'value()',
          'split("")',
          'join()',
          'distinct()',
          'replace("", "xx")',
          'format([1])',
          'getHours("Asia/Tokyo")',
        ),
      )
      .map(([a, call]) => `${a}.${call}`),
    fc
      .tuple(
        fc.constantFrom('size', 'string', 'int', 'double', 'uint', 'type', 'dyn', 'lists.range', 'sets.contains([1], '),
        tie('expression'),
      )
      .map(([name, a]) => `${name}${name.endsWith(' ') ? '' : '('}${a})`),
    fc.tuple(tie('expression'), tie('expression'), tie('expression')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
  ),
}));

const environment = { variables: new Map([['x', { kind: 'dyn' } as const]]), functions: STANDARD_FUNCTIONS };

describe('CEL', () => {
  it('answers any text with a value or an error, within its limit of cost', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          expression,
          expression.map((one) => `dyn(${one})`),
        ),
        json,
        (source, value) => {
          const compiled = compileExpression(source, environment);
          if ('issues' in compiled) return compiled.issues.startsWith('ERROR: <input>:');
          const x = toCelValue(value);
          const { cost } = evaluate(compiled.checked, () => x, 10_000);
          return cost < 40_000;
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
