import type { LabelSelector, LabelSelectorRequirement } from 'kubernetes-types/meta/v1.js';
import { formatRequirements, type LabelRequirement, type Labels, matchesRequirements } from './labelRequirement.ts';

/** True for labels that are selected; absent labels are none. */
export type LabelPredicate = (labels: Labels | undefined) => boolean;

const OPERATORS: Readonly<Record<string, LabelRequirement['operator']>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/**
 * What a `metav1.LabelSelector` matches, as `LabelSelectorAsSelector` has it: no selector matches nothing, an empty one everything. A requirement with an operator that
 * does not exist matches nothing (validation refuses it). Pure.
 */
export function compileLabelSelector(selector: LabelSelector | undefined): LabelPredicate {
  if (selector === undefined) return () => false;
  const requirements = selectorRequirements(selector);
  return (labels) => matchesRequirements(requirements, labels);
}

/** Whether an object with these labels is selected, for who asks about one object only (see `compileLabelSelector`). Pure. */
export function matchesLabelSelector(
  selector: LabelSelector | undefined,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  return compileLabelSelector(selector)(labels);
}

/** `app=web,tier in (a,b),!legacy`, ordered by key: `metav1.FormatLabelSelector`, but `''` and not `<none>` for one that matches everything. Pure. */
export function formatLabelSelector(selector: LabelSelector | undefined): string {
  return formatRequirements(selectorRequirements(selector ?? {}));
}

/** True for a selector that selects everything, which workload controllers refuse to act on. */
export function isEmptySelector(selector: LabelSelector | undefined): boolean {
  return selector !== undefined && selectorRequirements(selector).length === 0;
}

/** The requirements of a selector, ordered by key. Pure. */
export function selectorRequirements({ matchLabels, matchExpressions }: LabelSelector): LabelRequirement[] {
  const exact = Object.entries(matchLabels ?? {}).map(
    ([key, value]): LabelRequirement => ({ key, operator: '=', values: [value] }),
  );
  const requirements = [...exact, ...(matchExpressions ?? []).map(expressionRequirement)];
  return requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

function expressionRequirement({ key, operator, values = [] }: LabelSelectorRequirement): LabelRequirement {
  return { key, operator: OPERATORS[operator] ?? 'never', values };
}
