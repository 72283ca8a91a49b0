import { isExactType, nameOf, paramsOf } from '../CelType.ts';
import {
  add,
  type Estimate,
  exactly,
  MOST,
  multiply,
  PER_CHARACTER,
  PER_PATTERN_CHARACTER,
  scale,
  UNKNOWN,
  union,
} from './Estimate.ts';
import { estimateListCall } from './estimateListCall.ts';
import type { CallEstimate, EstimatedCall, EstimatedNode, EstimateSize } from './EstimatedCall.ts';

const ONE = exactly(1);

/**
 * Estimates one call, the costs of its arguments included, the target's not. Kubernetes' estimates of its libraries come first, then cel-go's own; what neither
 * knows costs 1. Follows `library.CostEstimator` and `checker.coster.functionCost`. Pure.
 */
export function estimateCall(call: EstimatedCall, estimateSize: EstimateSize): CallEstimate {
  const sizeOf: Size = (node) => node.size ?? (node.path.length > 0 ? estimateSize(node.path) : undefined) ?? UNKNOWN;
  const list = estimateListCall(call, sizeOf);
  if (list !== undefined) return list;
  const own = estimateLibrary(call, sizeOf) ?? estimateStandard(call);
  if (own === undefined) return { cost: add(ONE, ...call.argCosts) };
  return own.includesArguments ? own : { ...own, cost: add(own.cost, ...call.argCosts) };
}

type Own = CallEstimate & { readonly includesArguments?: boolean };

const NOMINAL = new Set(
  `masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast format.named sign asInteger isInteger
  asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch getScheme getHostname getHost getPort getEscapedPath getQuery
  serviceAccount path group resource subresource namespace name allowed reason error errored`.split(/\s+/),
);
const ONE_PASS = new Set(['cidr', 'isIP', 'isCIDR', 'ip', 'quantity', 'isQuantity', 'semver', 'isSemver']);
const LIST_PASS = new Set(['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf']);
const TEXT_PASS = new Set(['lowerAscii', 'upperAscii', 'substring', 'trim']);
/** The longest pattern of a named format. */
const FORMAT_PATTERN_LENGTH = 128;
/** The bytes of an IP address. */
const ADDRESS: Estimate = { min: 4, max: 16 };

function estimateLibrary(call: EstimatedCall, size: Size): Own | undefined {
  const { name, overload, target, args } = call;
  const [first, second] = args;
  if (NOMINAL.has(name) || overload === 'cidr_ip') return { cost: ONE };
  if (name === '_==_') return equalityOfLibraryTypes(args);
  if (ONE_PASS.has(name) && first) return { cost: scale(size(first), PER_CHARACTER) };
  if (name === 'url' && first) return { cost: scale(size(first), PER_CHARACTER), size: size(first) };
  if (name === 'ip.isCanonical' && first) return { cost: scale(size(first), 2 * PER_CHARACTER) };
  if (name === 'validate' && first)
    return { cost: scale(scale(size(first), PER_CHARACTER), FORMAT_PATTERN_LENGTH * PER_PATTERN_CHARACTER) };
  if (name === 'containsIP' || name === 'containsCIDR') return estimateContains(call, size);
  if (target === undefined) return undefined;
  if (LIST_PASS.has(name)) return estimateListPass(target, size);
  if (TEXT_PASS.has(name)) return { cost: scale(size(target), PER_CHARACTER), size: size(target) };
  if (name === 'replace' && first && second)
    return {
      cost: scale(size(target), 2 * PER_CHARACTER),
      size: replacedSize(size(target), size(first), size(second)),
    };
  if (name === 'split') {
    const limit =
      second?.expr?.kind === 'literal' && typeof second.expr.value === 'bigint'
        ? Number(second.expr.value)
        : size(target).max;
    return { cost: scale(size(target), 2 * PER_CHARACTER), size: { min: 0, max: limit < 0 ? MOST : limit } };
  }
  if (name === 'join') return estimateJoin(target, first, size);
  if ((name === 'find' || name === 'findAll') && first) {
    const cost = multiply(scale(add(size(target), ONE), PER_CHARACTER), scale(size(first), PER_PATTERN_CHARACTER));
    return { cost, size: { min: 0, max: size(target).max } };
  }
  return undefined;
}

type Size = (node: EstimatedNode) => Estimate;

/** The items of a list, as a place in the schema. */
function itemsOf(list: EstimatedNode): EstimatedNode | undefined {
  const [type] = list.type === undefined ? [] : paramsOf(list.type);
  if (type === undefined) return undefined;
  return { path: list.path.length === 0 ? [] : [...list.path, '@items'], type, expr: undefined, size: undefined };
}

function estimateListPass(target: EstimatedNode, size: Size): Own {
  const items = itemsOf(target);
  if (items === undefined) return { cost: scale(size(target), PER_CHARACTER) };
  const isText = items.type?.kind === 'string' || items.type?.kind === 'bytes';
  return { cost: multiply(size(target), isText ? add(ONE, scale(size(items), PER_CHARACTER)) : ONE) };
}

/** The size of a text in which parts were replaced: as few and as small, and as many and as large as can be. */
function replacedSize(text: Estimate, from: Estimate, to: Estimate): Estimate {
  const max =
    from.min === 0
      ? text.max + (text.max + 1) * to.max
      : to.max <= from.min
        ? text.max
        : Math.ceil(text.max / from.min) * to.max;
  const min =
    from.max === 0
      ? text.min + (text.min + 1) * to.min
      : from.max <= to.min
        ? text.min
        : Math.ceil(text.min / from.max) * to.min;
  return { min: Math.min(min, MOST), max: Math.min(max, MOST) };
}

function estimateJoin(target: EstimatedNode, separator: EstimatedNode | undefined, size: Size): Own {
  const count = size(target);
  const items = itemsOf(target);
  const texts = items === undefined ? exactly(0) : multiply(count, size(items));
  const gaps = { min: Math.max(count.min - 1, 0), max: Math.max(count.max - 1, 0) };
  const total = separator === undefined ? texts : add(texts, multiply(size(separator), gaps));
  return { cost: scale(total, PER_CHARACTER), size: total };
}

function estimateContains({ name, overload, args: [first] }: EstimatedCall, size: Size): Own {
  const compared = scale(add(ADDRESS, ADDRESS), PER_CHARACTER);
  const masked = name === 'containsCIDR' ? add(scale(ADDRESS, PER_CHARACTER), ONE) : exactly(0);
  const parsed = overload.endsWith('_string') && first !== undefined ? scale(size(first), PER_CHARACTER) : exactly(0);
  return { cost: add(compared, masked, parsed) };
}

const CHEAP_EQUALITY = new Set(['net.IP', 'net.CIDR', 'kubernetes.Quantity', 'kubernetes.Semver']);

function equalityOfLibraryTypes([left, right]: readonly EstimatedNode[]): Own | undefined {
  if (left?.type === undefined || right?.type === undefined || !isExactType(left.type, right.type)) return undefined;
  const name = nameOf(left.type);
  if (CHEAP_EQUALITY.has(name)) return { cost: ONE };
  if (name === 'kubernetes.NamedFormat') return { cost: scale({ min: 1, max: 64 }, PER_CHARACTER) };
  if (name === 'kubernetes.URL') return { cost: scale({ min: 1, max: right.size?.max ?? 1 }, PER_CHARACTER) };
  return undefined;
}

const COMPARING = /^(?:less|greater)(?:_equals)?_(?:string|bytes)$|^(?:equals|not_equals)$/;

function estimateStandard({ overload, target, args, argCosts }: EstimatedCall): Own | undefined {
  const [first, second, third] = args;
  const size = (node: EstimatedNode | undefined) => node?.size ?? UNKNOWN;
  if (COMPARING.test(overload)) {
    const smaller = Math.min(size(first).max, size(second).max);
    return { cost: scale({ min: smaller > 0 ? 1 : 0, max: smaller }, PER_CHARACTER) };
  }
  switch (overload) {
    case 'string_format':
      return { cost: scale(size(target), PER_CHARACTER) };
    case 'string_to_bytes':
      return {
        cost: scale(size(first), PER_CHARACTER),
        size: { min: size(first).min, max: Math.min(size(first).max * 4, MOST) },
      };
    case 'bytes_to_string':
      return {
        cost: scale(size(first), PER_CHARACTER),
        size: { min: Math.floor(size(first).min / 4), max: size(first).max },
      };
    case 'strings_quote':
      return {
        cost: scale(size(first), PER_CHARACTER),
        size: { min: size(first).min + 2, max: Math.min(size(first).max * 2 + 2, MOST) },
      };
    case 'starts_with_string':
    case 'ends_with_string':
      return { cost: scale(size(first), PER_CHARACTER) };
    case 'in_list':
      return { cost: size(second) };
    case 'matches_string':
      return {
        cost: multiply(scale(add(size(target), ONE), PER_CHARACTER), scale(size(first), PER_PATTERN_CHARACTER)),
      };
    case 'contains_string':
      return { cost: multiply(scale(size(target), PER_CHARACTER), scale(size(first), PER_CHARACTER)) };
    case 'logical_or':
    case 'logical_and':
      return { cost: { min: argCosts[0]?.min ?? 0, max: add(...argCosts).max }, includesArguments: true };
    case 'conditional': {
      const [condition = exactly(0), yes = exactly(0), no = exactly(0)] = argCosts;
      return { cost: add(condition, union(yes, no)), size: union(size(second), size(third)), includesArguments: true };
    }
    case 'add_list':
      return { cost: ONE, size: add(size(first), size(second)) };
    case 'add_string':
    case 'add_bytes': {
      const total = add(size(first), size(second));
      return { cost: scale(total, PER_CHARACTER), size: total };
    }
    default:
      return undefined;
  }
}
