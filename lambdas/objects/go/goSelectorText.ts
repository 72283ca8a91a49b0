import type { LabelSelector } from 'kubernetes-types/meta/v1.js';

/** Prints a LabelSelector as Go's `%+v` prints a pointer to one, as it stands in messages of Kubernetes' controllers: `&LabelSelector{MatchLabels:map[string]string{app: web,},MatchExpressions:[]LabelSelectorRequirement{},}`. Pure. */
export function goSelectorText(selector: LabelSelector | undefined): string {
  if (!selector) return 'nil';
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const labels = Object.entries(matchLabels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
