import { isCompiled, patternWork } from '../../apiextensions/values/patterns.ts';
import { PER_CHARACTER, PER_PATTERN_CHARACTER } from '../cost/Estimate.ts';
import { NAMED_FORMATS } from '../functions/namedFormats.ts';
import { CelList, CelMap, type CelResult, type CelValue } from './CelValue.ts';
import { FormatValue } from './LibraryValue.ts';
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
const TWO_PASSES = new Set(['replace', 'split', 'ip.isCanonical']);

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
      return (_, result) => perCharacter(2 * (typeof result === 'string' ? costSizeOf(result) : 1));
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
    return ([first = null, second = null]) => perCharacter(Math.min(costSizeOf(first), costSizeOf(second)));
  switch (overload) {
    case 'starts_with_string':
    case 'ends_with_string':
    case 'string_to_bytes':
    case 'bytes_to_string':
    case 'strings_quote':
    case 'string_format':
      return ([first = null]) => perCharacter(costSizeOf(first));
    case 'in_list':
      return ([, second = null]) => costSizeOf(second);
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
      return ([first = null, second = null]) => 1 + costSizeOf(first) * costSizeOf(second);
    case 'list_sets_equivalent_list':
      return ([first = null, second = null]) => 1 + 2 * costSizeOf(first) * costSizeOf(second);
    case 'lists_range':
      return ([size = null]) => LIST_CALL + Math.max(0, Number(size));
    case 'list_slice':
    case 'list_reverse':
    case 'list_flatten':
      return ([list = null]) => LIST_CALL + costSizeOf(list);
    case 'list_flatten_int':
      return ([list = null, depth = null]) => LIST_CALL + costSizeOf(list) * Math.max(1, Number(depth));
    default:
      return undefined;
  }
}

function comparingAll(list: CelValue): number {
  if (!(list instanceof CelList)) return 0;
  const isText = typeof list.items[0] === 'string' || list.items[0] instanceof Uint8Array;
  return Math.floor((isText ? 2 + PER_CHARACTER : 2) * list.items.length ** 2);
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
