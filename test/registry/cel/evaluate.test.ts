import { describe, expect, it } from 'vitest';
import { toCelValue } from '../../../lambdas/registry/apiextensions/rules/toCelValue.ts';
import { type CelType, simpleType } from '../../../lambdas/registry/cel/CelType.ts';
import { compileExpression } from '../../../lambdas/registry/cel/compileExpression.ts';
import { CelError } from '../../../lambdas/registry/cel/evaluate/CelValue.ts';
import { COST_EXCEEDED, evaluate } from '../../../lambdas/registry/cel/evaluate/evaluate.ts';
import { STANDARD_FUNCTIONS } from '../../../lambdas/registry/cel/functions/standardFunctions.ts';

const DATA = { n: 3, d: 1.5, s: 'añb', l: [1, 2, 3], m: { a: 1, 'b.c': 2 }, e: [], nothing: null };
const environment = { variables: new Map<string, CelType>([['x', simpleType('dyn')]]), functions: STANDARD_FUNCTIONS };

function run(source: string, limit = 1_000_000) {
  const compiled = compileExpression(source, environment);
  if ('issues' in compiled) throw new Error(compiled.issues);
  return evaluate(compiled.checked, (name) => (name === 'x' ? toCelValue(DATA) : undefined), limit);
}

/** The value of an expression, or the message of its error. */
function valueOf(source: string): unknown {
  const { result } = run(source);
  return result instanceof CelError ? result.message : result;
}

describe('evaluate: what is true', () => {
  it.each([
    'x.n == 3 && x.d == 1.5 && x.s == "añb"',
    '7 / 2 == 3 && -7 / 2 == -3 && -7 % 2 == -1',
    'dyn(1) == 1.0 && dyn(1) == dyn(1.0)',
    '2u + 3u == 5u',
    'size("añ😀") == 3 && "añ😀".size() == 3',
    '"añ😀b".charAt(2) == "😀" && "añ😀b".indexOf("b") == 3 && "añ😀b".substring(1, 3) == "ñ😀"',
    '"a-b-c".replace("-", "+", 1) == "a+b-c" && "".replace("", "x") == "x"',
    '"a,b,c".split(",", 2) == ["a", "b,c"] && "abc".split("") == ["a", "b", "c"]',
    '["a", "b"].join("/") == "a/b" && " a ".trim() == "a" && "aÄ".upperAscii() == "AÄ"',
    '"%s %d %.2f %x %b %e %s".format(["a", 3, 1.0, 255, 5, 12345.678, [1, 2]]) == "a 3 1.00 ff 101 1.234568e+04 [1, 2]"',
    '"abcabc".findAll("b.") == ["bc", "bc"] && "ab".find("c") == "" && "abc".matches("^a.c$")',
    'x.l.all(i, i > 0) && x.l.exists(i, i == 2) && x.l.exists_one(i, i == 2) && !x.e.exists(i, true) && x.e.all(i, false)',
    'x.l.map(i, i * 2) == [2, 4, 6] && x.l.filter(i, i > 1) == [2, 3] && x.l.map(i, i > 1, i + 1) == [3, 4]',
    'x.l.all(i, v, v == i + 1) && x.l.transformList(i, v, i + v) == [1, 3, 5]',
    'x.m.transformMap(k, v, v + 1) == {"a": 2, "b.c": 3} && x.m.transformMapEntry(k, v, {v: k}) == {1: "a", 2: "b.c"}',
    'x.m["b.c"] == 2 && "a" in x.m && !("z" in x.m) && has(x.m.a) && !has(x.m.z) && has(x.nothing)',
    '[1, 2].sum() == 3 && [3, 1].min() == 1 && [3, 1].max() == 3 && [1, 2].isSorted() && [1, 2, 1].lastIndexOf(1) == 2',
    '[3, 1, 2].sort() == [1, 2, 3] && ["b", "a"].sortBy(e, e) == ["a", "b"] && [1, 1, 2].distinct() == [1, 2]',
    '[[1], [2, 3]].flatten() == [1, 2, 3] && [1, 2, 3].slice(1, 3) == [2, 3] && lists.range(3) == [0, 1, 2] && [1, 2].reverse() == [2, 1]',
    '[1].first().value() == 1 && [1].last().hasValue() && ![1].filter(e, false).first().hasValue()',
    'sets.contains([1, 2], [1]) && sets.equivalent([1, 1], [1]) && !sets.intersects([1], [2])',
    'x.?z.orValue(5) == 5 && x.?n.orValue(5) == 3 && x.l[?9].orValue(7) == 7 && optional.of(1).or(optional.none()).value() == 1',
    'optional.ofNonZeroValue("").hasValue() == false && optional.of(2).optMap(v, v * 2).value() == 4',
    '[?optional.none(), ?optional.of(1)] == [1] && {?"a": optional.none(), "b": 1} == {"b": 1}',
    'type(1) == int && type("") == string && type([]) == list && type(x) == map && type(null) == null_type',
    'int("42") == 42 && int(3.9) == 3 && double("1.5") == 1.5 && string(1.0) == "1" && bool("true") && string(b"a") == "a"',
    'timestamp("2024-02-29T12:30:45.123Z").getMonth() == 1 && timestamp("2024-02-29T00:00:00Z").getDayOfYear() == 59',
    'timestamp("2024-02-29T12:30:45Z").getHours("America/New_York") == 7 && timestamp("2024-02-29T12:30:45Z").getHours("+05:30") == 18',
    'timestamp("2024-01-02T00:00:00Z") - timestamp("2024-01-01T00:00:00Z") == duration("24h") && duration("90m").getHours() == 1',
    'string(duration("1h30m")) == "5400s" && string(timestamp("2024-01-01T00:00:00.5Z")) == "2024-01-01T00:00:00.5Z"',
    'quantity("1Gi").isGreaterThan(quantity("1G")) && quantity("500m").add(quantity("0.5")) == quantity("1") && quantity("2k").asInteger() == 2000',
    'sign(quantity("-1")) == -1 && isQuantity("1.5Gi") && !isQuantity("x") && !quantity("0.5").isInteger()',
    'ip("127.0.0.1").isLoopback() && ip("::1").family() == 6 && isIP("1.2.3.4") && !isIP("1.2.3") && ip("10.0.0.1").isGlobalUnicast()',
    'string(ip("2001:db8:0:0:0:0:0:1")) == "2001:db8::1" && ip.isCanonical("2001:db8::1") && string(ip("::")) == "::"',
    'cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8") && cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16") && cidr("::/0").prefixLength() == 0',
    'url("https://u:p@a.b:80/c%20d?e=1&e=2").getHostname() == "a.b" && url("https://a.b:80/c?e=1&e=2").getQuery() == {"e": ["1", "2"]}',
    'url("http://[::1]:80/").getHostname() == "::1" && url("http://[::1]:80/").getPort() == "80" && !isURL("a b")',
    'semver("1.2.3-rc.1").isLessThan(semver("1.2.3")) && isSemver("v1.0", true) && semver("v1.02", true).minor() == 2 && !isSemver("1.0")',
    '!format.dns1123Label().validate("a-b").hasValue() && format.named("uuid").value().validate("x").value() == ["does not match the UUID format"]',
    'strings.quote("a\\"b\\n") == "\\"a\\\\\\"b\\\\n\\""',
    'false && 1 / 0 > 0 || true',
    '!(1 / 0 > 0 && false) && (1 / 0 > 0 || true)',
    '[0, 1].exists(i, 1 / i > 0) && ![0, 1].all(i, 1 / i > 5)',
    '0.0 / 0.0 != 0.0 / 0.0',
    '"😀" > "\\uffff"',
  ])('%s', (source) => {
    expect(valueOf(source)).toBe(true);
  });
});

describe('evaluate: errors', () => {
  it.each([
    ['1 / 0', 'division by zero'],
    ['1 % 0', 'modulus by zero'],
    ['9223372036854775807 + 1', 'integer overflow'],
    ['-(-9223372036854775807 - 1)', 'integer overflow'],
    ['0u - 1u', 'unsigned integer overflow'],
    ['x.z', 'no such key: z'],
    ['x.l[3]', 'index out of bounds: 3'],
    ['x.s > 1', 'no such overload'],
    ['x.n.startsWith("a")', 'no such overload: startsWith(int, string)'],
    ['"abc".charAt(4)', 'index out of range: 4'],
    ['"abc".substring(2, 1)', 'invalid substring range. start: 2, end: 1'],
    ['[1].slice(0, 2)', 'cannot slice(0, 2), list is length 1'],
    ['optional.none().value()', 'optional.none() dereference'],
    ['int("x")', "type conversion error from 'string' to 'int'"],
    ['[].max()', undefined],
    ['timestamp("2024-13-01T00:00:00Z".trim())', "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
    ['quantity("x")', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['"%z".format([1])', 'could not parse formatting clause: unrecognized formatting clause "z"'],
    ['"%d".format([])', 'index 0 out of range'],
    ['{"a": 1, "a": 2}', 'Failed with repeated key: a'],
  ])('%s', (source, expected) => {
    expect(valueOf(source)).toBe(expected ?? 'max called on empty list');
  });
});

describe('evaluate: costs', () => {
  it.each([
    ['true', 0],
    ['x.n', 2],
    ['has(x.n)', 1],
    ['x.n == 3', 3],
    ['[1, 2]', 10],
    ['{"a": 1}', 30],
    ['"0123456789012".contains("0123456789012")', 4],
    ['x.l.all(i, i > 0)', 2 + 3 * (1 + 1 + 1 + 1 + 1) + 1],
  ])('%s costs %i', (source, cost) => {
    expect(run(source).cost).toBe(cost);
  });

  it.each([
    'lists.range(1000000)',
    'lists.range(2000).all(a, lists.range(2000).all(b, a + b >= 0))',
    'lists.range(5000).distinct().size() > 0',
    '["a"].map(a, a + a).all(e, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".matches("(a+a+)+$")) && lists.range(100000).all(i, i.matches(""))',
  ])('stops %s', (source) => {
    const compiled = compileExpression(source, environment);
    if ('issues' in compiled) return;
    const { result, cost } = evaluate(compiled.checked, () => undefined, 100_000);
    expect(result).toEqual(new CelError(COST_EXCEEDED));
    expect(cost).toBeLessThan(200_000);
  });

  it('collects a long list in time that is linear', () => {
    const { result } = run('lists.range(20000).map(i, i).size() == 20000', 10_000_000);
    expect(result).toBe(true);
  });
});
