import { describe, expect, it } from 'vitest';
import {
  type CelType,
  formatType,
  listOf,
  mapOf,
  optionalOf,
  simpleType,
} from '../../../lambdas/registry/cel/CelType.ts';
import { compileExpression } from '../../../lambdas/registry/cel/compileExpression.ts';
import { STANDARD_FUNCTIONS } from '../../../lambdas/registry/cel/functions/standardFunctions.ts';

const object: CelType = {
  kind: 'struct',
  name: 'Thing',
  fields: new Map([
    ['n', simpleType('int')],
    ['s', simpleType('string')],
    ['l', listOf(simpleType('string'))],
    ['m', mapOf(simpleType('string'), simpleType('int'))],
    ['any', simpleType('dyn')],
  ]),
};
const environment = {
  variables: new Map<string, CelType>([
    ['self', object],
    ['old', optionalOf(object)],
  ]),
  functions: STANDARD_FUNCTIONS,
};

/** The type of an expression, or its issues. */
function compile(source: string): string {
  const compiled = compileExpression(source, environment);
  return 'issues' in compiled ? compiled.issues : formatType(compiled.type);
}

describe('compileExpression', () => {
  it.each([
    ['self.n + 1', 'int'],
    ['self.l.all(e, e.startsWith("a"))', 'bool'],
    ['self.l.map(e, size(e))', 'list(int)'],
    ['self.l.map(e, e != "", e + "x")', 'list(string)'],
    ['self.l.filter(e, true)[0]', 'string'],
    ['self.m.all(k, v, v > 0)', 'bool'],
    ['self.l.transformMap(i, v, i)', 'map(int, int)'],
    ['self.m.transformMapEntry(k, v, {string(v): k})', 'map(string, string)'],
    ['has(self.s) ? self.s : "d"', 'string'],
    ['self.?s.orValue("d")', 'string'],
    ['old.s', 'optional_type(string)'],
    ['old.optMap(o, o.n + 1)', 'optional_type(int)'],
    ['self.m[?"a"].orValue(1)', 'int'],
    ['type(self.n) == int', 'bool'],
    ['[]', 'list(dyn)'],
    ['{}', 'map(dyn, dyn)'],
    ['{?"a": self.m[?"b"]}', 'map(string, int)'],
    ['[1, 2u]', "ERROR: <input>:1:5: expected type 'int' but found 'uint'\n | [1, 2u]\n | ....^"],
    ['quantity("1Gi").isGreaterThan(quantity("1Mi"))', 'bool'],
    ['ip("::1").isLoopback() && cidr("10.0.0.0/8").containsIP("10.1.1.1")', 'bool'],
    ['format.dns1123Label().validate(self.s)', 'optional_type(list(string))'],
    ['semver("1.2.3").major()', 'int'],
    ['url("https://a/b").getQuery()', 'map(string, list(string))'],
    ['self.l.sort().first()', 'optional_type(string)'],
    ['"%d".format([1])', 'string'],
    ['duration("1h") + timestamp("2024-01-01T00:00:00Z")', 'timestamp'],
    ['-9223372036854775808', 'int'],
    [
      'r"\\d" + b"x" == b""',
      'ERROR: <input>:1:7: found no matching overload for \'_+_\' applied to \'(string, bytes)\'\n | r"\\d" + b"x" == b""\n | ......^',
    ],
    ['1 < 2.0 && 1u >= 1', 'bool'],
    ['self.any.b.c[0] == 1', 'bool'],
  ])('%s', (source, expected) => {
    expect(compile(source)).toBe(expected);
  });

  it.each([
    ['self.', "1:6: Syntax error: mismatched input '<EOF>' expecting {'?', IDENTIFIER, ESC_IDENTIFIER}"],
    ['self.n)', "1:7: Syntax error: extraneous input ')' expecting <EOF>"],
    ['self.n @ 1', "1:8: Syntax error: token recognition error at: '@'"],
    ['self.n > 99999999999999999999', '1:10: invalid int literal'],
    ['if + 1', '1:1: reserved identifier: if'],
    ['self.l.all(1, true)', '1:12: argument must be a simple name'],
    ['self.l.map(1, true)', '1:12: argument is not an identifier'],
    ['has(self)', '1:5: invalid argument to has() macro'],
    [
      'self.n.all(x, true)',
      "1:5: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
    ],
    ['self.n && true', "1:5: expected type 'bool' but found 'int'"],
    ['self.x', "1:5: undefined field 'x'"],
    ['self.n == "a"', "1:8: found no matching overload for '_==_' applied to '(int, string)'"],
    ['self.l.contains("a")', "1:16: found no matching overload for 'contains' applied to 'list(string).(string)'"],
    ['"\\q" == self.s', '1:1: unable to unescape string'],
    ['Thing{n: 1}', "1:6: undeclared reference to 'Thing' (in container '')"],
    ['self.s.matches("[")', '1:16: invalid matches argument'],
    ['self.l.exists(x, y)', "1:18: undeclared reference to 'y' (in container '')"],
    ['self.m.all(k, k, true)', '1:15: duplicate variable name: k'],
  ])('refuses %s', (source, expected) => {
    expect(compile(source).split('\n')[0]).toBe(`ERROR: <input>:${expected}`);
  });

  it('points to the place in lines and characters', () => {
    expect(compile('"ä€" == self.s &&\n  self.x')).toBe(
      "ERROR: <input>:2:7: undefined field 'x'\n |   self.x\n | ......^",
    );
    expect(compile('"ä" + 1')).toBe(
      "ERROR: <input>:1:5: found no matching overload for '_+_' applied to '(string, int)'\n | \"ä\" + 1\n | .．..^",
    );
  });

  it.each([
    ['brackets', '('.repeat(10_000)],
    ['minus signs', `${'-'.repeat(50_000)}1`],
    ['members', `self${'.a'.repeat(10_000)}`],
    ['sums', `1${'+1'.repeat(10_000)}`],
    ['conditions', 'true?'.repeat(10_000)],
  ])('answers deep nesting with an issue: %s', (_, source) => {
    expect(compile(source)).toMatch(/^(?:ERROR|int)/);
  });

  it('takes hundreds of terms of one logical operator', () => {
    expect(compile(Array.from({ length: 500 }, (_, index) => `self.n != ${index}`).join(' && '))).toBe('bool');
  });
});
