import type { FieldError } from '../../../objects/FieldError.ts';
import { invalid, nonNegative, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, numberOf } from '../fieldsOf.ts';
import { requirementCount, validateLabelSelector } from '../validateLabels.ts';
import { validatePodTemplate } from '../pods/validatePodTemplate.ts';
import { isUsableSelector, selectionErrors } from './validateTemplateOwner.ts';

/** Validates the selector of a Deployment or ReplicaSet and the template that it must select. As in Kubernetes, messages say "deployment" for both. */
export function validateSelectorAndTemplate(selector: unknown, template: unknown, path: string): FieldError[] {
  const selectorErrors = validateSelector(selector, `${path}.selector`);
  // An invalid selector selects nothing that could be compared, so the template is not validated.
  if (!isUsableSelector(selector)) {
    return [...selectorErrors, invalid(`${path}.selector`, selector, 'invalid label selector')];
  }
  return [
    ...selectorErrors,
    ...selectionErrors(selector, template, `${path}.template`),
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

/** Validates the counts of a status: not negative, not above `status.replicas` if `bounded`, and no more available than ready, which the message names `readyName`. */
export function validateReplicaCounts(
  status: unknown,
  counts: readonly string[],
  bounded: readonly string[],
  path: string,
  readyName = 'readyReplicas',
): FieldError[] {
  const fields = fieldsOf<Record<string, unknown>>(status);
  const [replicas, ready, available] = [fields['replicas'], fields['readyReplicas'], fields['availableReplicas']];
  return [
    ...counts.flatMap((count) => nonNegative(`${path}.${count}`, numberOf(fields[count]))),
    ...bounded
      .filter((count) => numberOf(fields[count]) > numberOf(replicas))
      .map((count) => invalid(`${path}.${count}`, numberOf(fields[count]), 'cannot be greater than status.replicas')),
    ...(numberOf(available) > numberOf(ready)
      ? [invalid(`${path}.availableReplicas`, available, `cannot be greater than ${readyName}`)]
      : []),
  ];
}
