import type { LabelSelector, LabelSelectorRequirement } from 'kubernetes-types/meta/v1.js';
import { fieldsOf, itemsOf, textEntriesOf, textOf, textsOf } from '../fieldsOf.ts';

/** Reads a selector of any JSON as one of the right type. */
export function readSelector(selector: unknown): LabelSelector {
  const { matchLabels, matchExpressions } = fieldsOf<LabelSelector>(selector);
  return {
    matchLabels: Object.fromEntries(textEntriesOf(matchLabels)),
    matchExpressions: itemsOf<LabelSelectorRequirement>(matchExpressions).map(({ key, operator, values }) => ({
      key: textOf(key),
      operator: textOf(operator),
      values: textsOf(values),
    })),
  };
}
