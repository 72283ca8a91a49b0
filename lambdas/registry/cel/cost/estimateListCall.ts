import { paramsOf } from '../CelType.ts';
import { add, type Estimate, exactly, MOST, multiply, PER_CHARACTER, scale, UNKNOWN } from './Estimate.ts';
import type { CallEstimate, EstimatedCall, EstimatedNode } from './EstimatedCall.ts';

/** A call, and the list that it makes. */
const LIST_CALL = exactly(11);

/**
 * Estimates calls of cel-go's libraries of lists and of sets, the costs of the arguments included: making a list costs its length, and comparing all items
 * with all others the square of it. `undefined` for other calls.
 */
export function estimateListCall(
  { overload, target, args, argCosts }: EstimatedCall,
  sizeOf: (node: EstimatedNode) => Estimate,
): CallEstimate | undefined {
  const [first, second] = args;
  const size = (node: EstimatedNode | undefined) => (node === undefined ? UNKNOWN : sizeOf(node));
  const making = (length: Estimate, factor = 1) => ({
    cost: add(scale(length, factor), LIST_CALL, ...argCosts),
    size: length,
  });
  const comparing = (list: EstimatedNode | undefined) =>
    making(multiply(size(list), size(list)), isOfTexts(list) ? 2 + PER_CHARACTER : 2);
  if (/^list_.*_sortByAssociatedKeys$/.test(overload)) return comparing(second);
  if (/^list_.*_sort$/.test(overload)) return comparing(target);
  switch (overload) {
    case 'list_sets_contains_list':
    case 'list_sets_intersects_list':
      return { cost: add(multiply(size(first), size(second)), exactly(1), ...argCosts) };
    case 'list_sets_equivalent_list':
      return { cost: add(scale(multiply(size(first), size(second)), 2), exactly(1), ...argCosts) };
    case 'list_distinct':
      return comparing(target);
    case 'lists_range':
      return making(exactly(literalOf(first, MOST)));
    case 'list_slice':
      return making(exactly(Math.max(0, literalOf(second, size(target).max) - literalOf(first, 0))));
    case 'list_reverse':
    case 'list_flatten':
      return making(size(target));
    case 'list_flatten_int':
      return making(size(target), literalOf(first, MOST));
    default:
      return undefined;
  }
}

function isOfTexts(list: EstimatedNode | undefined): boolean {
  const kind = list?.type === undefined ? undefined : paramsOf(list.type)[0]?.kind;
  return kind === 'string' || kind === 'bytes';
}

/** A number that is written out, or else another. */
function literalOf(node: EstimatedNode | undefined, otherwise: number): number {
  const expr = node?.expr;
  return expr?.kind === 'literal' && typeof expr.value === 'bigint' ? Math.max(0, Number(expr.value)) : otherwise;
}
