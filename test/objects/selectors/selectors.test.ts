import * as fc from '../../support/seededFastCheck.ts';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../lambdas/objects/ApiError.ts';
import { type FieldRequirement, parseFieldSelector } from '../../../lambdas/objects/selectors/fieldSelector.ts';
import { formatRequirements, matchesRequirements } from '../../../lambdas/objects/selectors/labelRequirement.ts';
import {
  compileLabelSelector,
  formatLabelSelector,
  isEmptySelector,
  selectorRequirements,
} from '../../../lambdas/objects/selectors/labelSelector.ts';
import { parseLabelSelector } from '../../../lambdas/objects/selectors/parseLabelSelector.ts';

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'BadRequest') return error.message;
    throw error;
  }
  return '';
}

const LABELS = { app: 'web', tier: 'front', n: '7', empty: '' };

describe('label selectors as text', () => {
  it.each([
    ['', true],
    ['app=web', true],
    ['app==web', true],
    ['app!=web', false],
    ['missing!=web', true],
    ['app in (web,db)', true],
    ['app in(db)', false],
    ['missing notin (a)', true],
    ['tier notin (front)', false],
    ['app', true],
    ['!app', false],
    ['! missing', true],
    ['n>6', true],
    ['n>7', false],
    ['n < 10', true],
    ['app>1', false],
    ['missing<1', false],
    ['empty=', true],
    ['app=', false],
    ['empty in ()', true],
    ['empty in (x,)', true],
    ['in in (in)', false],
    ['app = web , tier = front', true],
    ['app=web,tier=back', false],
  ])('%j selects app=web,tier=front,n=7: %j', (text, expected) => {
    expect(matchesRequirements(parseLabelSelector(text), LABELS)).toBe(expected);
  });

  it.each([
    ['a=b,', "found '', expected: identifier after ','"],
    [',a=b', "found ',', expected: !, identifier, or 'end of string'"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a ? b', "unable to parse requirement: found '?', expected: in, notin, =, ==, !=, gt, lt"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    [
      'a>b',
      "unable to parse requirement: values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
    [
      '-a=b',
      "unable to parse requirement: <nil>: Invalid value: \"-a\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
    [
      'a=-',
      "unable to parse requirement: values[0][a]: Invalid value: \"-\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
  ])('%j is refused: %s', (text, message) => {
    expect(messageOf(() => parseLabelSelector(text))).toBe(message);
  });

  const name = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
  const value = fc.stringMatching(/^([a-zA-Z0-9]([a-z0-9_.-]{0,4}[a-zA-Z0-9])?)?$/);
  const selector = fc.record({
    matchLabels: fc.dictionary(name, value, { maxKeys: 3 }),
    matchExpressions: fc.array(
      fc.oneof(
        fc.record({
          key: name,
          operator: fc.constantFrom('In', 'NotIn'),
          values: fc.uniqueArray(value, { minLength: 1, maxLength: 3 }),
        }),
        fc.record({ key: name, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
      ),
      { maxLength: 3 },
    ),
  });

  it('a selector that is written and parsed again selects the same labels', () => {
    fc.assert(
      fc.property(selector, fc.dictionary(name, value), (given, labels) => {
        const read = parseLabelSelector(formatLabelSelector(given));
        expect(matchesRequirements(read, labels)).toBe(compileLabelSelector(given)(labels));
        expect(formatRequirements(read)).toBe(formatLabelSelector(given));
      }),
    );
  });

  it('every text is either parsed or refused with a BadRequest', () => {
    const alphabet = fc.string({ unit: fc.constantFrom('a', 'in', ' ', '(', ')', ',', '!', '=', '<', '>', 'é', '\\') });
    fc.assert(
      fc.property(fc.oneof(alphabet, fc.string()), (text) => messageOf(() => parseLabelSelector(text)) !== '?'),
    );
  });
});

describe('LabelSelector objects', () => {
  it('an absent selector selects nothing, an empty one everything', () => {
    expect(compileLabelSelector(undefined)({})).toBe(false);
    expect(compileLabelSelector({})(undefined)).toBe(true);
    expect([isEmptySelector(undefined), isEmptySelector({}), isEmptySelector({ matchLabels: { a: 'b' } })]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('a requirement with an unknown operator selects nothing', () => {
    expect(compileLabelSelector({ matchExpressions: [{ key: 'a', operator: 'Is' }] })({ a: 'b' })).toBe(false);
  });

  it('a label named "constructor" exists only on objects that have it', () => {
    expect(compileLabelSelector({ matchExpressions: [{ key: 'constructor', operator: 'Exists' }] })({})).toBe(false);
  });

  it('requirements are written sorted by key, and their values sorted', () => {
    const matchExpressions = [
      { key: 'b', operator: 'NotIn', values: ['y', 'x'] },
      { key: 'a', operator: 'DoesNotExist' },
      { key: 'd', operator: 'Exists' },
    ];
    expect(formatLabelSelector({ matchLabels: { c: '1' }, matchExpressions })).toBe('!a,b notin (x,y),c=1,d');
    expect(selectorRequirements({ matchLabels: { z: '1', y: '2' } }).map(({ key }) => key)).toEqual(['y', 'z']);
  });
});

function formatted({ field, operator, value }: FieldRequirement): string {
  return `${field}${operator}${value.replace(/[\\,=]/g, '\\$&')}`;
}

describe('field selectors', () => {
  it.each([
    ['', []],
    ['a=b', [{ field: 'a', operator: '=', value: 'b' }]],
    [
      'a==b,,c!=d',
      [
        { field: 'a', operator: '=', value: 'b' },
        { field: 'c', operator: '!=', value: 'd' },
      ],
    ],
    ['a=x\\,y\\=z\\\\', [{ field: 'a', operator: '=', value: 'x,y=z\\' }]],
    ['a=', [{ field: 'a', operator: '=', value: '' }]],
  ])('%j is parsed', (text, requirements) => {
    expect(parseFieldSelector(text)).toEqual(requirements);
  });

  it.each([
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['x=1,a', "invalid selector: 'x=1,a'; can't understand 'a'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a=\\x', 'invalid field selector: invalid escape sequence: \\x'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
  ])('%j is refused: %s', (text, message) => {
    expect(messageOf(() => parseFieldSelector(text))).toBe(message);
  });

  it('a selector that is written and parsed again has the same requirements', () => {
    const requirement = fc.record({
      field: fc.stringMatching(/^[a-z.]{1,8}$/),
      operator: fc.constantFrom('=' as const, '!=' as const),
      value: fc.string(),
    });
    fc.assert(
      fc.property(fc.array(requirement), (given) => {
        expect(parseFieldSelector(given.map(formatted).join(','))).toEqual(given);
      }),
    );
  });
});
