import type { LimitRangeItem, PodSpec } from 'kubernetes-types/core/v1.js';
import { compareQuantities, formatQuantity, type Quantity } from '../../objects/quantities/quantity.ts';
import { podAmounts } from '../../objects/quantities/quota.ts';
import { parseAmounts, type ResourceAmounts } from '../../objects/quantities/resourceAmounts.ts';

/** The requests and limits of a container, or of the pod as a whole. */
interface Amounts {
  readonly requests: ResourceAmounts;
  readonly limits: ResourceAmounts;
}

/** Returns how a pod violates one item of a limit range, in LimitRanger's words. Only items about pods and containers apply. Pure. */
export function limitViolations(spec: PodSpec, item: LimitRangeItem): string[] {
  return amountsOf(spec, item.type).flatMap((amounts) => [
    ...each(item.min, (name, bound) => belowMinimum(item.type, name, bound, amounts)),
    ...each(item.max, (name, bound) => aboveMaximum(item.type, name, bound, amounts)),
    ...each(item.maxLimitRequestRatio, (name, bound) => aboveRatio(item.type, name, bound, amounts)),
  ]);
}

function each(
  bounds: Readonly<Record<string, unknown>> | undefined,
  check: (name: string, bound: Quantity) => string | undefined,
): string[] {
  return Object.entries(parseAmounts(bounds)).flatMap(([name, bound]) => check(name, bound) ?? []);
}

function amountsOf(spec: PodSpec, type: string): Amounts[] {
  if (type === 'Pod') return [{ requests: podAmounts(spec, 'requests'), limits: podAmounts(spec, 'limits') }];
  if (type !== 'Container') return [];
  return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ resources }) => ({
    requests: parseAmounts(resources?.requests),
    limits: parseAmounts(resources?.limits),
  }));
}

function belowMinimum(type: string, name: string, bound: Quantity, { requests, limits }: Amounts): string | undefined {
  const [request, limit] = [requests[name], limits[name]];
  const rule = `minimum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  if (compareQuantities(request, bound) < 0) return `${rule}, but request is ${formatQuantity(request)}`;
  if (limit !== undefined && compareQuantities(limit, bound) < 0)
    return `${rule}, but limit is ${formatQuantity(limit)}`;
  return undefined;
}

function aboveMaximum(type: string, name: string, bound: Quantity, { requests, limits }: Amounts): string | undefined {
  const [request, limit] = [requests[name], limits[name]];
  const rule = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (limit === undefined) return `${rule}.  No limit is specified`;
  if (compareQuantities(limit, bound) > 0) return `${rule}, but limit is ${formatQuantity(limit)}`;
  if (request !== undefined && compareQuantities(request, bound) > 0)
    return `${rule}, but request is ${formatQuantity(request)}`;
  return undefined;
}

function aboveRatio(type: string, name: string, bound: Quantity, { requests, limits }: Amounts): string | undefined {
  const request = requests[name]?.nanos ?? 0n;
  const limit = limits[name]?.nanos ?? 0n;
  const rule = `${name} max limit to request ratio per ${type} is ${formatQuantity(bound)}`;
  if (request === 0n) return `${rule}, but no request is specified or request is 0`;
  if (limit === 0n) return `${rule}, but no limit is specified or limit is 0`;
  if (limit * 1_000_000_000n <= bound.nanos * request) return undefined;
  return `${rule}, but provided ratio is ${(Number(limit) / Number(request)).toFixed(6)}`;
}
