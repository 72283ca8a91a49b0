import type { LimitRange as ApiLimitRange, LimitRangeItem } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { compareQuantities, parseQuantity, QUANTITY_FORMAT_MESSAGE } from '../../objects/quantity.ts';
import type { ResourceEntry } from '../ResourceEntry.ts';
import { defaultTable } from '../tables/columns.ts';
import { duplicate, forbidden, invalid } from '../validation/fieldErrors.ts';
import { STANDARD_VERBS } from './standardRules.ts';

type LimitRange = Stored<ApiLimitRange>;
const LISTS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

/** Pairs of lists: no amount in the first may exceed that in the second. */
const ORDERED = [
  ['min', 'max'],
  ['min', 'defaultRequest'],
  ['defaultRequest', 'max'],
  ['defaultRequest', 'default'],
  ['min', 'default'],
  ['default', 'max'],
] as const;

/** Fills in a missing default limit with the maximum, and a missing default request with the default limit or, without one, the minimum. */
function applyLimitRangeDefaults(draft: KubernetesObject): void {
  for (const item of (draft as LimitRange).spec?.limits ?? []) {
    if (item.type !== 'Container') continue;
    const limits = { ...item.max, ...item.default };
    const requests = { ...item.min, ...limits, ...item.defaultRequest };
    if (Object.keys(limits).length > 0) item.default = limits;
    if (Object.keys(requests).length > 0) item.defaultRequest = requests;
  }
}

function validateLimitRange(object: KubernetesObject): FieldError[] {
  const limits = (object as LimitRange).spec?.limits ?? [];
  const types = limits.map(({ type }) => type);
  return limits.flatMap((item, index) => [
    ...(types.indexOf(item.type) < index ? [duplicate(`spec.limits[${index}].type`, item.type)] : []),
    ...validateItem(item, `spec.limits[${index}]`),
  ]);
}

function validateItem(item: LimitRangeItem, path: string): FieldError[] {
  const malformed = LISTS.flatMap((list) =>
    Object.entries(item[list] ?? {})
      .filter(([, text]) => parseQuantity(text) === undefined)
      .map(([name, text]) => invalid(`${path}.${list}[${name}]`, text, QUANTITY_FORMAT_MESSAGE)),
  );
  const podDefaults = (['default', 'defaultRequest'] as const).filter(
    (list) => item.type === 'Pod' && Object.keys(item[list] ?? {}).length > 0,
  );
  return [
    ...malformed,
    ...podDefaults.map((list) => forbidden(`${path}.${list}`, "may not be specified when `type` is 'Pod'")),
    ...ORDERED.flatMap(([smaller, larger]) => orderErrors(item, smaller, larger, path)),
  ];
}

function orderErrors(
  item: LimitRangeItem,
  smaller: (typeof LISTS)[number],
  larger: (typeof LISTS)[number],
  path: string,
): FieldError[] {
  return Object.entries(item[smaller] ?? {}).flatMap(([name, text]) => {
    const other = item[larger]?.[name];
    const [low, high] = [parseQuantity(text), parseQuantity(other)];
    if (low === undefined || high === undefined || compareQuantities(low, high) <= 0) return [];
    const words = { min: 'min', max: 'max', default: 'default limit', defaultRequest: 'default request' };
    const [a, b] = [words[smaller as keyof typeof words], words[larger as keyof typeof words]];
    return [invalid(`${path}.${smaller}[${name}]`, text, `${a} value ${text} is greater than ${b} value ${other}`)];
  });
}

export const limitRanges: ResourceEntry = {
  groupResource: 'limitranges',
  group: '',
  plural: 'limitranges',
  singular: 'limitrange',
  kind: 'LimitRange',
  shortNames: ['limits'],
  namespaced: true,
  verbs: STANDARD_VERBS,
  storageVersion: 'v1',
  versions: [{ version: 'v1', applyDefaults: applyLimitRangeDefaults }],
  strategy: { validate: validateLimitRange, validateUpdate: validateLimitRange },
  table: defaultTable,
};
