import type { LabelSelector, LabelSelectorRequirement } from 'kubernetes-types/meta/v1.js';

type Labels = Readonly<Record<string, string>> | undefined;

/**
 * Whether an object with these labels is selected: apimachinery's `LabelSelectorAsSelector`. No selector selects nothing, an empty one everything. A requirement
 * whose operator is unknown, which validation lets nobody store, selects nothing. Pure.
 */
export function matchesLabelSelector(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (selector === undefined) return false;
  const wanted = Object.entries(selector.matchLabels ?? {});
  return (
    wanted.every(([key, value]) => labelOf(labels, key) === value) &&
    (selector.matchExpressions ?? []).every((requirement) => meets(labels, requirement))
  );
}

/** True for the selector that has no requirements, and so selects every object. */
export function selectsEverything({ matchLabels, matchExpressions }: LabelSelector): boolean {
  return Object.keys(matchLabels ?? {}).length === 0 && (matchExpressions ?? []).length === 0;
}

function meets(labels: Labels, { key, operator, values = [] }: LabelSelectorRequirement): boolean {
  const value = labelOf(labels, key);
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}

function labelOf(labels: Labels, key: string): string | undefined {
  return labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
}
