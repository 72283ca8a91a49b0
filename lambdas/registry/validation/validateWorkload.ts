import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { compileLabelSelector } from '../../objects/labelSelector.ts';
import { invalid, nonNegative, required } from './fieldErrors.ts';
import { fieldsOf, isPresent, numberOf, textEntriesOf } from './fieldsOf.ts';
import { readSelector } from './readSelector.ts';
import { requirementCount, validateLabelSelector } from './validateLabels.ts';
import { validatePodTemplate } from './validatePodTemplate.ts';

/** Validates the selector of a Deployment or ReplicaSet and the template that it must select. As in Kubernetes, messages say "deployment" for both. */
export function validateSelectorAndTemplate(selector: unknown, template: unknown, path: string): FieldError[] {
  const selectorErrors = validateSelector(selector, `${path}.selector`);
  // An invalid selector selects nothing that could be compared, so the template is not validated.
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

/** Refuses a template that the selector does not select. An absent selector selects nothing, an empty one everything. */
function validateSelected(selector: unknown, template: unknown, path: string): FieldError[] {
  const { labels } = fieldsOf<ObjectMeta>(fieldsOf<PodTemplateSpec>(template).metadata);
  const matches = compileLabelSelector(isPresent(selector) ? readSelector(selector) : undefined);
  if (matches(Object.fromEntries(textEntriesOf(labels)))) return [];
  return [mismatch(labels, path)];
}

/** The error of a template that its own controller does not select. */
export function mismatch(labels: unknown, templatePath: string): FieldError {
  return invalid(`${templatePath}.metadata.labels`, labels, '`selector` does not match template `labels`');
}

/** Validates the counts of a status: not negative, not above `status.replicas` if `bounded`, and no more available than ready. */
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
      .map((count) => invalid(`${path}.${count}`, numberOf(fields[count]), 'cannot be greater than status.replicas')),
    ...(numberOf(available) > numberOf(ready)
      ? [invalid(`${path}.availableReplicas`, available, 'cannot be greater than readyReplicas')]
      : []),
  ];
}
