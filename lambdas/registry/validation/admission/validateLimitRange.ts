import type { LimitRange, LimitRangeItem } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import type { KubernetesObject, Stored } from '../../../objects/KubernetesObject.ts';
import {
  compareQuantities,
  parseQuantity,
  type Quantity,
  QUANTITY_FORMAT_MESSAGE,
} from '../../../objects/quantities/quantity.ts';
import { duplicate, forbidden, invalid, required } from '../fieldErrors.ts';
import { validateContainerResourceName, validateResourceName } from '../resourceNames.ts';

type Bound = 'max' | 'min' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio';
const BOUNDS: readonly Bound[] = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'];

/** What may not be greater than what, in Kubernetes' order: what an error is about, what value it shows, and the words for the two bounds. */
type Order = readonly [smaller: Bound, larger: Bound, field: Bound, shown: Bound, words: readonly [string, string]];
const ORDERED: readonly Order[] = [
  ['min', 'max', 'min', 'min', ['min', 'max']],
  ['min', 'defaultRequest', 'defaultRequest', 'defaultRequest', ['min', 'default request']],
  ['defaultRequest', 'max', 'defaultRequest', 'defaultRequest', ['default request', 'max']],
  ['defaultRequest', 'default', 'defaultRequest', 'defaultRequest', ['default request', 'default limit']],
  ['min', 'default', 'default', 'min', ['min', 'default']],
  ['default', 'max', 'default', 'max', ['default', 'max']],
];

const ONE: Quantity = { nanos: 1_000_000_000n, format: 'DecimalSI' };

/** Returns the errors of a LimitRange, except those of its metadata. Pure. */
export function validateLimitRange(object: KubernetesObject): FieldError[] {
  const limits = (object as Stored<LimitRange>).spec?.limits ?? [];
  const types = limits.map(({ type }) => type);
  return limits.flatMap((item, index) => [
    ...(types.indexOf(item.type) < index ? [duplicate(`spec.limits[${index}].type`, item.type)] : []),
    ...validateItem(item, `spec.limits[${index}]`),
  ]);
}

function validateItem(item: LimitRangeItem, path: string): FieldError[] {
  return [
    ...malformedAmounts(item, path),
    ...podDefaults(item, path),
    ...(item.type === 'PersistentVolumeClaim' ? storageErrors(item, path) : []),
    ...resourcesOf(item).flatMap((resource) => [
      ...ORDERED.flatMap((order) => orderErrors(item, order, resource, path)),
      ...ratioErrors(item, resource, path),
    ]),
  ];
}

function resourcesOf(item: LimitRangeItem): string[] {
  return [...new Set(BOUNDS.flatMap((bound) => Object.keys(item[bound] ?? {})))];
}

function malformedAmounts(item: LimitRangeItem, path: string): FieldError[] {
  const isOfPods = item.type === 'Pod' || item.type === 'Container';
  const nameErrors = isOfPods ? validateContainerResourceName : validateResourceName;
  return BOUNDS.flatMap((bound) =>
    Object.entries(item[bound] ?? {}).flatMap(([name, text]) => [
      ...nameErrors(name, `${path}.${bound}[${name}]`),
      ...(parseQuantity(text) ? [] : [invalid(`${path}.${bound}[${name}]`, text, QUANTITY_FORMAT_MESSAGE)]),
    ]),
  );
}

function podDefaults(item: LimitRangeItem, path: string): FieldError[] {
  const given = (['default', 'defaultRequest'] as const).filter(
    (bound) => item.type === 'Pod' && Object.keys(item[bound] ?? {}).length > 0,
  );
  return given.map((bound) => forbidden(`${path}.${bound}`, "may not be specified when `type` is 'Pod'"));
}

function storageErrors({ min, max }: LimitRangeItem, path: string): FieldError[] {
  if (min?.['storage'] !== undefined || max?.['storage'] !== undefined) return [];
  const detail = 'either minimum or maximum storage value is required, but neither was provided';
  return [required(`${path}.limits`, detail)];
}

function orderErrors(
  item: LimitRangeItem,
  [smaller, larger, field, shown, words]: Order,
  resource: string,
  path: string,
): FieldError[] {
  const [low, high] = [item[smaller]?.[resource], item[larger]?.[resource]];
  if (!isGreater(low, high)) return [];
  const detail = `${words[0]} value ${low} is greater than ${words[1]} value ${high}`;
  return [invalid(`${path}.${field}[${resource}]`, item[shown]?.[resource], detail)];
}

/** The largest allowed ratio of limit to request is at least 1, and no greater than what minimum and maximum allow. */
function ratioErrors({ min, max, maxLimitRequestRatio }: LimitRangeItem, resource: string, path: string): FieldError[] {
  const ratio = maxLimitRequestRatio?.[resource];
  const parsed = parseQuantity(ratio);
  if (parsed === undefined) return [];
  const field = `${path}.maxLimitRequestRatio[${resource}]`;
  if (compareQuantities(parsed, ONE) < 0) return [invalid(field, ratio, `ratio ${ratio} is less than 1`)];
  const [least, most] = [parseQuantity(min?.[resource]), parseQuantity(max?.[resource])];
  if (least === undefined || most === undefined || least.nanos === 0n) return [];
  const limit = Number(most.nanos) / Number(least.nanos);
  if (Number(parsed.nanos) / Number(ONE.nanos) <= limit) return [];
  return [invalid(field, ratio, `ratio ${ratio} is greater than max/min = ${limit.toFixed(6)}`)];
}

function isGreater(left: string | undefined, right: string | undefined): boolean {
  const [a, b] = [parseQuantity(left), parseQuantity(right)];
  return a !== undefined && b !== undefined && compareQuantities(a, b) > 0;
}
