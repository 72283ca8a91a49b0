import type { LabelSelector, LabelSelectorRequirement } from 'kubernetes-types/meta/v1.js';

const NONE = '<none>';

/** Labels as kubectl prints them, in order of their keys: `app=web,tier=front`, or `<none>`. */
export function formatLabels(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return pairs.map(([key, value]) => `${key}=${value}`).join(',') || NONE;
}

/** A label selector as kubectl prints it, in order of its keys: `app=web,tier in (a,b),!legacy`; `empty` if it has no requirement. */
export function formatSelector(selector: LabelSelector | undefined, empty = NONE): string {
  const requirements = [
    ...Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => ({ key, text: `${key}=${value}` })),
    ...(selector?.matchExpressions ?? []).map((one) => ({ key: one.key, text: formatRequirement(one) })),
  ];
  const sorted = requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return sorted.map(({ text }) => text).join(',') || empty;
}

function formatRequirement({ key, operator, values = [] }: LabelSelectorRequirement): string {
  const set = `(${[...values].sort().join(',')})`;
  switch (operator) {
    case 'In':
      return `${key} in ${set}`;
    case 'NotIn':
      return `${key} notin ${set}`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}
