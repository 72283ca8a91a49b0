import type { LabelSelector, LabelSelectorRequirement } from 'kubernetes-types/meta/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { isQualifiedName, isValidLabelValue } from '../../objects/nameFormats.ts';
import { forbidden, invalid, invalidEach, required, tooLong } from './fieldErrors.ts';
import { type Fields, fieldsOf, itemsOf, textEntriesOf, textOf, textsOf } from './fieldsOf.ts';

const MAX_ANNOTATION_BYTES = 262_144;

/** Validates a label map. As in Kubernetes, errors name the map and not the key. */
export function validateLabels(labels: unknown, path: string): FieldError[] {
  return textEntriesOf(labels).flatMap(([key, value]) => [
    ...validateLabelName(key, path),
    ...invalidEach(path, value, isValidLabelValue(value)),
  ]);
}

export function validateLabelName(name: string, path: string): FieldError[] {
  return invalidEach(path, name, isQualifiedName(name));
}

/** Validates annotations: the keys are qualified names in any case, and the total size is limited. */
export function validateAnnotations(annotations: unknown, path: string): FieldError[] {
  const entries = textEntriesOf(annotations);
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...entries.flatMap(([key]) => invalidEach(path, key, isQualifiedName(key.toLowerCase()))),
    ...(bytes > MAX_ANNOTATION_BYTES ? [tooLong(path, MAX_ANNOTATION_BYTES)] : []),
  ];
}

/** Validates a `metav1.LabelSelector`, label values included. */
export function validateLabelSelector(selector: unknown, path: string): FieldError[] {
  const { matchLabels, matchExpressions } = fieldsOf<LabelSelector>(selector);
  return [
    ...validateLabels(matchLabels, `${path}.matchLabels`),
    ...itemsOf<LabelSelectorRequirement>(matchExpressions).flatMap((requirement, index) =>
      validateRequirement(requirement, `${path}.matchExpressions[${index}]`),
    ),
  ];
}

function validateRequirement(requirement: Fields<LabelSelectorRequirement>, path: string): FieldError[] {
  const values = textsOf(requirement.values);
  return [
    ...validateOperator(textOf(requirement.operator), values, path),
    ...validateLabelName(textOf(requirement.key), `${path}.key`),
    ...values.flatMap((value, index) => invalidEach(`${path}.values[${index}]`, value, isValidLabelValue(value))),
  ];
}

function validateOperator(operator: string, values: readonly string[], path: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? []
        : [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

/** Counts the requirements of a selector. A selector without requirements selects everything. */
export function requirementCount(selector: unknown): number {
  const { matchLabels, matchExpressions } = fieldsOf<LabelSelector>(selector);
  return textEntriesOf(matchLabels).length + itemsOf(matchExpressions).length;
}
