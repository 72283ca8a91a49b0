import * as fc from '../support/seededFastCheck.ts';

/** Values that have broken servers: wrong types, numbers beyond any integer, names with a meaning in JavaScript, strings that are not valid text. */
export const hostileValues: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    [],
    {},
    [[]],
    [null],
    -1,
    -0,
    0.5,
    1e308,
    -1e308,
    2 ** 31,
    2 ** 53,
    2 ** 63,
    '9'.repeat(400),
    '25%',
    '-1%',
    '1e99999',
    '1n',
    'NaN',
    '\u0000',
    '\ud800',
    '../../..',
    '%2e%2e%2f',
    'a'.repeat(70_000),
    '2026-13-45T99:99:99Z',
    'constructor',
    { constructor: { prototype: { polluted: true } } },
    { toString: null, valueOf: 1, hasOwnProperty: 'no', length: -1 },
    { $patch: 'replace' },
    { $patch: 'nonsense' },
    { '$setElementOrder/containers': [{ name: 1 }], '$deleteFromPrimitiveList/finalizers': 7 },
    { $retainKeys: 'no list' },
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** JSON texts that no JavaScript literal can express, such as objects with a duplicate key or an own key `__proto__`. */
export const hostileJson: fc.Arbitrary<string> = fc.constantFrom(
  '{"__proto__":{"polluted":true}}',
  '{"metadata":{"name":"one","__proto__":{"polluted":true}}}',
  '{"metadata":{"name":"one"},"metadata":{"name":"two"},"data":{"a":"1","a":"2"}}',
  '{"metadata":{"name":"one"},"data":{"__proto__":"polluted","constructor":"x"}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  `{"metadata":{"name":"deep","annotations":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}}`,
  '{"metadata":{"name":"one"},"data":{"a":1e400,"b":-0,"c":123456789012345678901234567890}}',
  '{"spec":{"replicas":9223372036854775808}}',
  '\ufeff{"metadata":{"name":"bom"}}',
  '{"metadata":{"name":"one"}}trailing',
  '{"metadata":{"name":"\\ud800"}}',
  '"just text"',
  '[1,2,3]',
  'null',
  '0',
  ' ',
);

/** YAML texts that grow when they are read, refer to themselves, or contain more than one document. */
export const hostileYaml: fc.Arbitrary<string> = fc.constantFrom(
  `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
    .split('')
    .map((name, at) => `${name}: &${name} [${`*${'abcdefghi'[at]},`.repeat(9).slice(0, -1)}]`)
    .join('\n')}`,
  'metadata: &m\n  name: one\n  self: *m\n',
  'metadata: {name: one}\n---\nmetadata: {name: two}\n',
  'metadata: !!js/function "function(){}"\n',
  'metadata: {name: !!binary "gg=="}\n',
  '? {complex: key}\n: value\n',
  '<<: {metadata: {name: merged}}\n',
  'metadata: {name: *missing}\n',
  '%YAML 9.9\n---\na: 1\n',
  '\t- tab',
  '{'.repeat(10_000),
  '- '.repeat(10_000),
  `a:\n${' '.repeat(100)}b: ${'"'.repeat(999)}`,
  'metadata: {name: 2026-01-01, labels: {yes: no, null: ~, 0x1F: .inf}}\n',
);
