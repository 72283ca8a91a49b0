import { type AttributeValue } from '@aws-sdk/client-dynamodb';
import * as fc from '../../support/seededFastCheck.ts';

export type Values = Record<string, AttributeValue>;

const text = fc.constantFrom('', 'a', 'ab', 'b', 'ä', '\u{1f600}', '\uffee', 'z'.repeat(1500));
/** Without superfluous zeros, which the service trims and the emulator keeps. */
const number = fc.constantFrom('0', '1', '-1', '2', '10', '-0.5', '12345678901234567890', '0.1');
export const keyText = fc.constantFrom('a', 'ab', 'b', 'ä', '\u{1f600}', '\uffee');

const scalar: fc.Arbitrary<AttributeValue> = fc.oneof(
  text.map((S) => ({ S })),
  number.map((N) => ({ N })),
  fc.boolean().map((BOOL) => ({ BOOL })),
  fc.constant({ NULL: true as const }),
  fc.uint8Array({ maxLength: 3 }).map((B) => ({ B })),
);
const set: fc.Arbitrary<AttributeValue> = fc.oneof(
  fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }).map((SS) => ({ SS })),
  fc.uniqueArray(fc.constantFrom('1', '2', '3'), { minLength: 1 }).map((NS) => ({ NS })),
);
export const value: fc.Arbitrary<AttributeValue> = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 2, arbitrary: set },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }).map((L) => ({ L })) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('x', 'y'), scalar, { maxKeys: 2 }).map((M) => ({ M })) },
);

export const ATTRIBUTES = ['one', 'two', 'three'] as const;
const path = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...ATTRIBUTES) },
  { weight: 1, arbitrary: fc.constantFrom('one.x', 'two.y', 'one[0]', 'three[1]') },
);

/** An expression with its values, which are numbered when expressions are put together. */
export interface Part {
  readonly text: string;
  readonly values: readonly AttributeValue[];
}

const operand: fc.Arbitrary<Part> = fc.oneof(
  path.map((text) => ({ text, values: [] })),
  value.map((one) => ({ text: '?', values: [one] })),
);

export function joined(texts: TemplateStringsArray, ...parts: readonly Part[]): Part {
  return {
    text: texts.reduce((whole, text, at) => `${whole}${parts[at - 1]?.text ?? ''}${text}`),
    values: parts.flatMap(({ values }) => values),
  };
}

const attributePath: fc.Arbitrary<Part> = path.map((text) => ({ text, values: [] }));
export const comparator: fc.Arbitrary<Part> = fc
  .constantFrom('=', '<>', '<', '<=', '>', '>=')
  .map((text) => ({ text, values: [] }));
const given: fc.Arbitrary<Part> = value.map((one) => ({ text: '?', values: [one] }));

export const { condition } = fc.letrec<{ condition: Part; test: Part }>((tie) => ({
  test: fc.oneof(
    fc.tuple(attributePath, comparator, operand).map(([a, by, b]) => joined`${a} ${by} ${b}`),
    attributePath.map((a) => joined`attribute_exists(${a})`),
    attributePath.map((a) => joined`attribute_not_exists(${a})`),
    fc
      .tuple(attributePath, fc.constantFrom('a', 'z'))
      .map(([a, S]) => joined`begins_with(${a}, ${{ text: '?', values: [{ S }] }})`),
    fc.tuple(attributePath, scalar).map(([a, one]) => joined`contains(${a}, ${{ text: '?', values: [one] }})`),
    fc
      .tuple(attributePath, fc.constantFrom('S', 'N', 'L', 'SS'))
      .map(([a, S]) => joined`attribute_type(${a}, ${{ text: '?', values: [{ S }] }})`),
    fc
      .tuple(attributePath, comparator, number)
      .map(([a, by, N]) => joined`size(${a}) ${by} ${{ text: '?', values: [{ N }] }}`),
    fc.tuple(attributePath, number, number).map(([a, low, high]) => {
      const [from, to] = [low, high].sort((x, y) => Number(x) - Number(y));
      return joined`${a} BETWEEN ${{ text: '?', values: [{ N: from ?? '' }] }} AND ${{ text: '?', values: [{ N: to ?? '' }] }}`;
    }),
    fc
      .tuple(attributePath, scalar, scalar)
      .map(([a, b, c]) => joined`${a} IN (${{ text: '?', values: [b] }}, ${{ text: '?', values: [c] }})`),
  ),
  condition: fc.oneof(
    { maxDepth: 3 },
    tie('test'),
    fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => joined`(${a} AND ${b})`),
    fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => joined`(${a} OR ${b})`),
    tie('condition').map((a) => joined`NOT ${a}`),
  ),
}));

const setAction: fc.Arbitrary<Part> = fc.oneof(
  given,
  fc.tuple(attributePath, number, fc.constantFrom('+', '-')).map(([a, N, sign]) => {
    return joined`${a} ${{ text: sign, values: [] }} ${{ text: '?', values: [{ N }] }}`;
  }),
  fc.tuple(attributePath, given).map(([a, b]) => joined`if_not_exists(${a}, ${b})`),
  fc.tuple(attributePath, number, number).map(([a, first, more]) => {
    return joined`if_not_exists(${a}, ${{ text: '?', values: [{ N: first }] }}) + ${{ text: '?', values: [{ N: more }] }}`;
  }),
  fc
    .tuple(attributePath, scalar)
    .map(([a, one]) => joined`list_append(${a}, ${{ text: '?', values: [{ L: [one] }] }})`),
  attributePath,
);

export const update: fc.Arbitrary<Part> = fc
  .uniqueArray(fc.constantFrom('one', 'two', 'three', 'controller', 'coOwned'), { minLength: 1, maxLength: 3 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) => {
        const target: Part = { text: name, values: [] };
        if (name === 'controller' || name === 'coOwned') {
          return fc.oneof(
            keyText.map((S) => ({ kind: 'SET', part: joined`${target} = ${{ text: '?', values: [{ S }] }}` })),
            fc.constant({ kind: 'REMOVE', part: target }),
          );
        }
        return fc.oneof(
          setAction.map((action) => ({ kind: 'SET', part: joined`${target} = ${action}` })),
          fc.constant({ kind: 'REMOVE', part: target }),
          fc.constantFrom('one.x', 'two[0]').map((text) => ({ kind: 'REMOVE', part: { text, values: [] } })),
          fc
            .oneof(
              set,
              number.map((N) => ({ N })),
            )
            .map((one) => ({ kind: 'ADD', part: joined`${target} ${{ text: '?', values: [one] }}` })),
          set.map((one) => ({ kind: 'DELETE', part: joined`${target} ${{ text: '?', values: [one] }}` })),
        );
      }),
    ),
  )
  .map((actions) => {
    const kinds = ['SET', 'REMOVE', 'ADD', 'DELETE'].flatMap((kind) => {
      const parts = actions.filter((action) => action.kind === kind).map(({ part }) => part);
      return parts.length === 0
        ? []
        : [
            {
              text: `${kind} ${parts.map(({ text }) => text).join(', ')}`,
              values: parts.flatMap(({ values }) => values),
            },
          ];
    });
    return { text: kinds.map(({ text }) => text).join(' '), values: kinds.flatMap(({ values }) => values) };
  });

/** Numbers the values of several expressions of one request. */
export function numbered(...parts: readonly Part[]): {
  readonly texts: readonly string[];
  readonly values: Values | undefined;
} {
  const values: Values = {};
  const texts = parts.map(({ text, values: given }) => {
    let at = 0;
    return text.replaceAll('?', () => {
      const name = `:v${Object.keys(values).length}`;
      values[name] = given[at] ?? { S: '' };
      at += 1;
      return name;
    });
  });
  return { texts, values: Object.keys(values).length > 0 ? values : undefined };
}
