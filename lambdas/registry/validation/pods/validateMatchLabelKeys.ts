import type { PodAffinityTerm } from 'kubernetes-types/core/v1.js';
import type { LabelSelector, LabelSelectorRequirement } from 'kubernetes-types/meta/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { forbidden, invalid } from '../fieldErrors.ts';
import { fieldsOf, isPresent, itemsOf, textEntriesOf, textOf, textsOf } from '../fieldsOf.ts';
import { validateLabelName } from '../validateLabels.ts';

const NO_SELECTOR = 'must not be specified when labelSelector is not set';

/** Validates the keys of an affinity term whose values come from the pod itself: each key once, and only together with a selector. */
export function validateMatchLabelKeys(term: unknown, path: string): FieldError[] {
  const { matchLabelKeys, mismatchLabelKeys, labelSelector } = fieldsOf<PodAffinityTerm>(term);
  const [match, mismatch] = [textsOf(matchLabelKeys), textsOf(mismatchLabelKeys)];
  const hasSelector = isPresent(labelSelector);
  const mismatched = new Set(mismatch);
  return [
    ...validateKeys(match, hasSelector, `${path}.matchLabelKeys`),
    ...validateKeys(mismatch, hasSelector, `${path}.mismatchLabelKeys`),
    ...repeatedKeys(match, labelSelector, path),
    ...match.flatMap((key, index) =>
      mismatched.has(key)
        ? [invalid(`${path}.matchLabelKeys[${index}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys')]
        : [],
    ),
  ];
}

function validateKeys(keys: readonly string[], hasSelector: boolean, path: string): FieldError[] {
  if (keys.length > 0 && !hasSelector) return [forbidden(path, NO_SELECTOR)];
  return keys.flatMap((key, index) => validateLabelName(key, `${path}[${index}]`));
}

/** Refuses a key that the user's selector contains too. The server adds each key to the selector once, so such a key is there twice. */
function repeatedKeys(match: readonly string[], selector: unknown, path: string): FieldError[] {
  const { matchLabels, matchExpressions } = fieldsOf<LabelSelector>(selector);
  const seen = new Set(textEntriesOf(matchLabels).map(([key]) => key));
  const lastIndexOf = new Map(match.map((key, index) => [key, index]));
  return itemsOf<LabelSelectorRequirement>(matchExpressions).flatMap((requirement) => {
    const key = textOf(requirement.key);
    const isRepeated = seen.has(key);
    seen.add(key);
    const index = lastIndexOf.get(key);
    return isRepeated && index !== undefined
      ? [invalid(`${path}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector')]
      : [];
  });
}

/** Validates the label keys of a topology spread constraint, where the selector stays as the user wrote it. */
export function validateSpreadLabelKeys(keys: readonly string[], selector: unknown, path: string): FieldError[] {
  if (keys.length === 0) return [];
  const { matchLabels, matchExpressions } = fieldsOf<LabelSelector>(selector);
  const selected = new Set([
    ...textEntriesOf(matchLabels).map(([key]) => key),
    ...itemsOf<LabelSelectorRequirement>(matchExpressions).map(({ key }) => textOf(key)),
  ]);
  return [
    ...(isPresent(selector) ? [] : [forbidden(path, NO_SELECTOR)]),
    ...keys.flatMap((key, index) => [
      ...validateLabelName(key, `${path}[${index}]`),
      ...(selected.has(key)
        ? [invalid(`${path}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector')]
        : []),
    ]),
  ];
}
