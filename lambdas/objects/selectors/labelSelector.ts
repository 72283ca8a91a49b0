import type { LabelSelector, LabelSelectorRequirement } from 'kubernetes-types/meta/v1.js';
import { formatRequirements, type LabelRequirement, type Labels, matchesRequirements } from './labelRequirement.ts';

/** True for labels that are selected. Absent labels count as no labels. */
export type LabelPredicate = (labels: Labels | undefined) => boolean;

const OPERATORS: Readonly<Record<string, LabelRequirement['operator']>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/**
 * Turns a `metav1.LabelSelector` into a predicate, as `LabelSelectorAsSelector`: an absent selector matches nothing, an empty one everything. A requirement
 * with an unknown operator matches nothing (validation refuses it). Pure.
 */
export function compileLabelSelector(selector: LabelSelector | undefined): LabelPredicate {
  if (selector === undefined) return () => false;
  const requirements = selectorRequirements(selector);
  return (labels) => matchesRequirements(requirements, labels);
}

/** True if the selector selects these labels. To match many objects, use `compileLabelSelector`. Pure. */
export function matchesLabelSelector(
  selector: LabelSelector | undefined,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  return compileLabelSelector(selector)(labels);
}

/**
 * Writes a selector as text, sorted by key: `app=web,tier in (a,b),!legacy`. As `metav1.FormatLabelSelector`, but `''` and not `<none>` for a selector
 * that matches everything. Pure.
 */
export function formatLabelSelector(selector: LabelSelector | undefined): string {
  return formatRequirements(selectorRequirements(selector ?? {}));
}

/** True for a selector that selects everything. Workload controllers refuse to act on such a selector. */
export function isEmptySelector(selector: LabelSelector | undefined): boolean {
  return selector !== undefined && selectorRequirements(selector).length === 0;
}

/** Returns the requirements of a selector, sorted by key. Pure. */
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
