import { PER_CHARACTER, PER_PATTERN_CHARACTER } from '../cost/Estimate.ts';
import { NAMED_FORMATS } from '../functions/namedFormats.ts';
import { CelList, CelMap, type CelResult, type CelValue } from './CelValue.ts';
import { FormatValue } from './LibraryValue.ts';
import { costSizeOf } from './sizeOf.ts';

/**
 * What a call cost, from the sizes of its operands and of its result. Kubernetes' costs of its libraries come first, then cel-go's own; what neither knows
 * costs 1. Follows `library.CostEstimator.CallCost` and `interpreter.CostTracker.costCall`.
 */
export function callCost(name: string, overload: string, args: readonly CelValue[], result: CelResult): number {
  return listCost(overload, args) ?? libraryCost(name, overload, args, result) ?? standardCost(overload, args);
}

const TRAVERSING = new Set(['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf']);
const ONE_PASS = new Set(
  'url lowerAscii upperAscii substring trim cidr isIP isCIDR quantity isQuantity semver isSemver'.split(' '),
);

function libraryCost(name: string, overload: string, args: readonly CelValue[], result: CelResult): number | undefined {
  const [first = null, second = null] = args;
  if (TRAVERSING.has(name)) return traversalCost(first);
  if (ONE_PASS.has(name) || (name === 'ip' && overload !== 'cidr_ip')) return perCharacter(costSizeOf(first));
  switch (name) {
    case 'replace':
    case 'split':
    case 'ip.isCanonical':
      return perCharacter(2 * costSizeOf(first));
    case 'join':
      return perCharacter(2 * (typeof result === 'string' ? costSizeOf(result) : 1));
    case 'find':
    case 'findAll':
      return patternCost(first, costSizeOf(second));
    case 'containsIP':
    case 'containsCIDR': {
      const parsed = overload.endsWith('_string') ? perCharacter(costSizeOf(second)) : 0;
      return perCharacter(32) + parsed + (name === 'containsCIDR' ? perCharacter(16) + 1 : 0);
    }
    case 'validate':
      return first instanceof FormatValue ? patternCost(second, NAMED_FORMATS[first.name]?.patternLength ?? 1) : 1;
    default:
      return undefined;
  }
}

const COMPARING = /^(?:less|greater)(?:_equals)?_(?:string|bytes)$|^(?:equals|not_equals)$/;

function standardCost(overload: string, args: readonly CelValue[]): number {
  const [first = 0, second = 0] = args.map(costSizeOf);
  if (COMPARING.test(overload)) return perCharacter(Math.min(first, second));
  switch (overload) {
    case 'starts_with_string':
    case 'ends_with_string':
    case 'string_to_bytes':
    case 'bytes_to_string':
    case 'strings_quote':
    case 'string_format':
      return perCharacter(first);
    case 'in_list':
      return second;
    case 'add_string':
    case 'add_bytes':
      return perCharacter(first + second);
    case 'matches_string':
      return patternCost(args[0] ?? null, second);
    case 'contains_string':
      return perCharacter(first) * perCharacter(second);
    default:
      return 1;
  }
}

const LIST_CALL = 11;

/** The costs of cel-go's libraries of lists and sets: making a list costs its length, and comparing all items with all others the square of it. */
function listCost(overload: string, args: readonly CelValue[]): number | undefined {
  const [first = null, second = null] = args;
  if (/^list_.*_sortByAssociatedKeys$/.test(overload)) return LIST_CALL + comparingAll(second);
  if (/^list_.*_sort$/.test(overload)) return LIST_CALL + comparingAll(first);
  switch (overload) {
    case 'list_sets_contains_list':
    case 'list_sets_intersects_list':
      return 1 + costSizeOf(first) * costSizeOf(second);
    case 'list_sets_equivalent_list':
      return 1 + 2 * costSizeOf(first) * costSizeOf(second);
    case 'list_distinct':
      return LIST_CALL + comparingAll(first);
    case 'lists_range':
      return LIST_CALL + Math.max(0, Number(first));
    case 'list_slice':
    case 'list_reverse':
    case 'list_flatten':
      return LIST_CALL + costSizeOf(first);
    case 'list_flatten_int':
      return LIST_CALL + costSizeOf(first) * Math.max(1, Number(second));
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

/** The cost of looking at all of a value. */
function traversalCost(value: CelValue): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return Math.floor(costSizeOf(value) * PER_CHARACTER);
  if (value instanceof CelList) return value.items.reduce<number>((sum, item) => sum + traversalCost(item), 0);
  if (!(value instanceof CelMap)) return 1;
  let cost = 0;
  for (const key of value.source.keys()) cost += traversalCost(key) + traversalCost(value.source.get(key) ?? null);
  return cost;
}
