import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { LabelSelector, LabelSelectorRequirement, ObjectMeta } from 'kubernetes-types/meta/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { compileLabelSelector } from '../../objects/labelSelector.ts';
import { invalid, nonNegative, required } from './fieldErrors.ts';
import { fieldsOf, isPresent, itemsOf, numberOf, textEntriesOf, textOf, textsOf } from './fieldsOf.ts';
import { requirementCount, validateLabelSelector } from './validateLabels.ts';
import { validatePodTemplate } from './validatePodTemplate.ts';

/** The selector of a Deployment or ReplicaSet and the template that it must select. Messages say "deployment" for both, as Kubernetes' do. */
export function validateSelectorAndTemplate(selector: unknown, template: unknown, path: string): FieldError[] {
  const selectorErrors = validateSelector(selector, `${path}.selector`);
  // A selector that cannot be read says nothing about the template, which then is not judged either.
  if (isPresent(selector) && validateLabelSelector(selector, '').length > 0) {
    return [...selectorErrors, invalid(`${path}.selector`, selector, 'invalid label selector')];
  }
  return [
    ...selectorErrors,
    ...validateSelected(selector, template, `${path}.template`),
    ...validatePodTemplate(template, 'ReplicaSet', `${path}.template`),
  ];
}

function validateSelector(selector: unknown, path: string): FieldError[] {
  if (!isPresent(selector)) return [required(path)];
  return [
    ...validateLabelSelector(selector, path),
    ...(requirementCount(selector) === 0 ? [invalid(path, selector, 'empty selector is invalid for deployment')] : []),
  ];
}

/** No selector selects nothing, and so not the template; the empty one would select everything. */
function validateSelected(selector: unknown, template: unknown, path: string): FieldError[] {
  const { labels } = fieldsOf<ObjectMeta>(fieldsOf<PodTemplateSpec>(template).metadata);
  const matches = compileLabelSelector(isPresent(selector) ? readSelector(selector) : undefined);
  if (matches(Object.fromEntries(textEntriesOf(labels)))) return [];
  return [mismatch(labels, path)];
}

/** What is said of a template that its own controller would not select. */
export function mismatch(labels: unknown, templatePath: string): FieldError {
  return invalid(`${templatePath}.metadata.labels`, labels, '`selector` does not match template `labels`');
}

function readSelector(selector: unknown): LabelSelector {
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

/** Counts of a status: none below zero, none above `status.replicas`, and none available that is not ready. */
export function validateReplicaCounts(
  status: unknown,
  counts: readonly string[],
  bounded: readonly string[],
  path: string,
): FieldError[] {
  const fields = fieldsOf<Record<string, unknown>>(status);
  const [replicas, ready, available] = [fields['replicas'], fields['readyReplicas'], fields['availableReplicas']];
  return [
    ...counts.flatMap((count) => nonNegative(`${path}.${count}`, numberOf(fields[count]))),
    ...bounded
      .filter((count) => numberOf(fields[count]) > numberOf(replicas))
      .map((count) => invalid(`${path}.${count}`, fields[count], 'cannot be greater than status.replicas')),
    ...(numberOf(available) > numberOf(ready)
      ? [invalid(`${path}.availableReplicas`, available, 'cannot be greater than readyReplicas')]
      : []),
  ];
}
