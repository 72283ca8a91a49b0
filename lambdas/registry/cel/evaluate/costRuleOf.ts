import { isCompiled, patternWork } from '../../apiextensions/values/patterns.ts';
import { PER_CHARACTER, PER_PATTERN_CHARACTER } from '../cost/Estimate.ts';
import { NAMED_FORMATS } from '../functions/namedFormats.ts';
import { CelList, CelMap, type CelResult, type CelValue } from './CelValue.ts';
import { FormatValue } from './LibraryValue.ts';
import { composedSizeOf } from './composedSize.ts';
import { costSizeOf } from './sizeOf.ts';

/** What a call costs. Before the call its result is not known, and is `null`. */
export type CostRule = (args: readonly CelValue[], result: CelResult) => number;

const RULES = new Map<string, CostRule | undefined>();

/**
 * Returns the rule by which calls of an overload cost, or `undefined` if each costs 1. Kubernetes' rules of its libraries come first, then cel-go's own. Follows
 * `library.CostEstimator.CallCost` and `interpreter.CostTracker.costCall`.
 */
export function costRuleOf(name: string, overload: string): CostRule | undefined {
  const key = `${name} ${overload}`;
  if (!RULES.has(key)) RULES.set(key, listRule(overload) ?? libraryRule(name, overload) ?? standardRule(overload));
  return RULES.get(key);
}

/** One expression can afford two authorization checks. */
const AUTHORIZATION_CHECK = 350_000;
const LIST_COST = 10;
const STRUCT_COST = 40;
const TRAVERSING = new Set(['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf']);
const ONE_PASS = new Set(
  'url lowerAscii upperAscii substring trim cidr isIP isCIDR quantity isQuantity semver isSemver'.split(' '),
);
const TWO_PASSES = new Set(['split', 'ip.isCanonical']);

function libraryRule(name: string, overload: string): CostRule | undefined {
  if (TRAVERSING.has(name)) return ([first = null]) => traversalCost(first);
  if (ONE_PASS.has(name) || (name === 'ip' && overload !== 'cidr_ip'))
    return ([first = null]) => perCharacter(costSizeOf(first));
  if (TWO_PASSES.has(name)) return ([first = null]) => perCharacter(2 * costSizeOf(first));
  switch (name) {
    case 'check':
      return () => AUTHORIZATION_CHECK;
    case 'fieldSelector':
    case 'labelSelector':
      return ([, text = null]) => selectorCost(costSizeOf(text));
    case 'join':
      return ([list = null, by = '']) => perCharacter(2 * Math.max(1, joinedLength(list, by)));
    case 'replace':
      return ([text = null, from = null, to = null]) =>
        perCharacter(Math.max(2 * costSizeOf(text), replacedLength(text, from, to)));
    case 'find':
    case 'findAll':
      return matchingCost;
    case 'containsIP':
    case 'containsCIDR': {
      const compared = perCharacter(32) + (name === 'containsCIDR' ? perCharacter(16) + 1 : 0);
      return ([, second = null]) => compared + (overload.endsWith('_string') ? perCharacter(costSizeOf(second)) : 0);
    }
    case 'validate':
      return ([first = null, second = null]) =>
        first instanceof FormatValue ? patternCost(second, NAMED_FORMATS[first.name]?.patternLength ?? 1) : 1;
    default:
      return undefined;
  }
}

/** What parsing a selector costs: its text, and a list and a struct for every second character, since `k,` is the shortest requirement. */
function selectorCost(length: number): number {
  return LIST_COST + perCharacter(length) + Math.ceil(length / 2) * (LIST_COST + STRUCT_COST);
}

const COMPARING = /^(?:less|greater)(?:_equals)?_(?:string|bytes)$|^(?:equals|not_equals)$/;

function standardRule(overload: string): CostRule | undefined {
  if (COMPARING.test(overload))
    return ([first = null, second = null]) =>
      Math.max(
        perCharacter(Math.min(costSizeOf(first), costSizeOf(second))),
        deepCost(Math.min(composedSizeOf(first), composedSizeOf(second))),
      );
  switch (overload) {
    case 'starts_with_string':
    case 'ends_with_string':
    case 'string_format':
      return formatCost;
    case 'add_list':
      return ([first = null, second = null]) => Math.max(1, costSizeOf(first) + costSizeOf(second));
    // Upstream counts 1. Positions count characters, so all of the text is looked at.
    case 'string_char_at_int':
      return ([text = null]) => Math.max(1, Math.floor(perCharacter(costSizeOf(text)) / 10));
    case 'string_to_bytes':
    case 'bytes_to_string':
    case 'strings_quote':
      return ([first = null]) => perCharacter(costSizeOf(first));
    case 'in_list':
      return ([, second = null]) => Math.max(costSizeOf(second), deepCost(composedSizeOf(second)));
    case 'add_string':
    case 'add_bytes':
      return ([first = null, second = null]) => perCharacter(costSizeOf(first) + costSizeOf(second));
    // Upstream counts 1 for `matches(text, pattern)`; it takes as long as the member.
    case 'matches':
    case 'matches_string':
      return matchingCost;
    case 'contains_string':
      return ([first = null, second = null]) => perCharacter(costSizeOf(first)) * perCharacter(costSizeOf(second));
    default:
      return undefined;
  }
}

function matchingCost([text = null, pattern = null]: readonly CelValue[]): number {
  return patternCost(text, costSizeOf(pattern)) + compileCost(pattern);
}

const LIST_CALL = 11;

/** The costs of cel-go's libraries of lists and sets: making a list costs its length, and comparing all items with all others the square of it. */
function listRule(overload: string): CostRule | undefined {
  if (/^list_.*_sortByAssociatedKeys$/.test(overload)) return ([, keys = null]) => LIST_CALL + comparingAll(keys);
  if (/^list_.*_sort$/.test(overload) || overload === 'list_distinct')
    return ([list = null]) => LIST_CALL + comparingAll(list);
  switch (overload) {
    case 'list_sets_contains_list':
    case 'list_sets_intersects_list':
      return ([first = null, second = null]) => 1 + pairsCost(first, second);
    case 'list_sets_equivalent_list':
      return ([first = null, second = null]) => 1 + 2 * pairsCost(first, second);
    case 'lists_range':
      return ([size = null]) => LIST_CALL + Math.max(0, Number(size));
    case 'list_slice':
    case 'list_reverse':
      return ([list = null]) => LIST_CALL + costSizeOf(list);
    // Upstream counts the lists in the list, and not what is in these.
    case 'list_flatten':
      return ([list = null]) => LIST_CALL + Math.max(costSizeOf(list), flattenedLength(list));
    case 'list_flatten_int':
      return ([list = null, depth = null]) =>
        LIST_CALL + Math.max(costSizeOf(list), composedSizeOf(list)) * Math.max(1, Number(depth));
    default:
      return undefined;
  }
}

function flattenedLength(list: CelValue): number {
  if (!(list instanceof CelList)) return 1;
  return list.items.reduce<number>((sum, item) => sum + (item instanceof CelList ? item.items.length : 1), 0);
}

/** What comparing each item of a list with each of another takes. */
function pairsCost(first: CelValue, second: CelValue): number {
  const [one, other] = [costSizeOf(first), costSizeOf(second)];
  return Math.max(one * other, deepCost(composedSizeOf(first)) * other, deepCost(composedSizeOf(second)) * one);
}

function comparingAll(list: CelValue): number {
  if (!(list instanceof CelList)) return 0;
  const isText = typeof list.items[0] === 'string' || list.items[0] instanceof Uint8Array;
  const count = list.items.length;
  return Math.max(Math.floor((isText ? 2 + PER_CHARACTER : 2) * count ** 2), deepCost(composedSizeOf(list)) * count);
}

/** What a function that looks into everything that its values hold takes, in units: a unit buys a look at 20. */
function deepCost(size: number): number {
  return Math.floor(size / 20);
}

/** Upstream counts the template alone; a text of any length may follow from `'%s%s'.format([a, a])`. */
function formatCost([template = null, values = null]: readonly CelValue[]): number {
  return perCharacter(costSizeOf(template)) + deepCost(composedSizeOf(values));
}

function joinedLength(list: CelValue, by: CelValue): number {
  if (!(list instanceof CelList)) return 1;
  const length = list.items.reduce<number>((sum, item) => sum + (typeof item === 'string' ? item.length : 0), 0);
  return length + Math.max(0, list.items.length - 1) * (typeof by === 'string' ? by.length : 0);
}

/** The length of `text.replace(from, to)`, before it is made. */
function replacedLength(text: CelValue, from: CelValue, to: CelValue): number {
  if (typeof text !== 'string' || typeof from !== 'string' || typeof to !== 'string') return 1;
  if (to.length <= from.length) return text.length;
  let count = from === '' ? text.length + 1 : 0;
  for (let at = from === '' ? -1 : text.indexOf(from); at >= 0; at = text.indexOf(from, at + from.length)) count += 1;
  return text.length + count * (to.length - from.length);
}

function perCharacter(size: number): number {
  return Math.ceil(size * PER_CHARACTER);
}

function patternCost(text: CelValue, patternLength: number): number {
  return perCharacter(1 + costSizeOf(text)) * Math.ceil(patternLength * PER_PATTERN_CHARACTER);
}

/** Upstream counts nothing for compiling a pattern. One that an object brings may take longer to compile than to match. */
function compileCost(pattern: CelValue): number {
  return typeof pattern !== 'string' || isCompiled(pattern) ? 0 : Math.ceil(patternWork(pattern) / 20);
}

/** The cost of looking at all of a value. */
function traversalCost(value: CelValue): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return Math.floor(costSizeOf(value) * PER_CHARACTER);
  if (value instanceof CelList) return value.items.reduce<number>((sum, item) => sum + traversalCost(item), 0);
  if (!(value instanceof CelMap)) return 1;
  let cost = 0;
  for (const key of value.source.keys()) cost += traversalCost(key) + traversalCost(value.source.get(key) ?? null);
  return cost;
}
