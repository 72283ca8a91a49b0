import type { LabelSelector, LabelSelectorRequirement } from 'kubernetes-types/meta/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { isQualifiedName, isValidLabelValue } from '../../objects/nameFormats.ts';
import {
  all,
  at,
  type Check,
  fields,
  format,
  given,
  items,
  matching,
  missing,
  refused,
  valid,
  when,
} from './checks.ts';
import { tooLong } from './fieldErrors.ts';
import { fieldsOf, itemsOf, textEntriesOf, textOf, textsOf } from './fieldsOf.ts';

const MAX_ANNOTATION_BYTES = 262_144;

export const validateLabelName: Check = format(isQualifiedName);
export const validateLabelValue: Check = format(isValidLabelValue);
const annotationName = format((key) => isQualifiedName(key.toLowerCase()));

/** Validates a label map. As in Kubernetes, errors name the map and not the key. */
export function validateLabels(labels: unknown, path: string): FieldError[] {
  return textEntriesOf(labels).flatMap(([key, value]) => [
    ...validateLabelName(key, path),
    ...validateLabelValue(value, path),
  ]);
}

/** Validates annotations: the keys are qualified names in any case, and the total size is limited. */
export function validateAnnotations(annotations: unknown, path: string): FieldError[] {
  const entries = textEntriesOf(annotations);
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...entries.flatMap(([key]) => annotationName(key, path)),
    ...(bytes > MAX_ANNOTATION_BYTES ? [tooLong(path, MAX_ANNOTATION_BYTES)] : []),
  ];
}

export const unknownOperator: Check = matching(() => false, 'not a valid selector operator');

/** The operator of a requirement, and how many values it has. `ordered`: `Gt` and `Lt` are known, too. */
export function validateOperator(ordered: boolean): Check {
  return given<LabelSelectorRequirement>(({ operator, values }) => {
    const [name, count] = [textOf(operator), textsOf(values).length];
    if (name === 'In' || name === 'NotIn')
      return at('.values', when(count === 0, missing("must be specified when `operator` is 'In' or 'NotIn'")));
    if (name === 'Exists' || name === 'DoesNotExist')
      return at(
        '.values',
        when(count > 0, refused("may not be specified when `operator` is 'Exists' or 'DoesNotExist'")),
      );
    if (ordered && (name === 'Gt' || name === 'Lt'))
      return at(
        '.values',
        when(count !== 1, missing("must be specified single value when `operator` is 'Lt' or 'Gt'")),
      );
    return fields({ operator: unknownOperator });
  });
}

/** A `metav1.LabelSelector`, label values included. */
export const validateLabelSelector: Check = labelSelector(items(validateLabelValue));

/** A selector whose expressions have any values, since those of the stored one are wrong already. */
const storedLabelSelector: Check = labelSelector(valid);

/** A changed selector: if the stored one has an expression with a wrong value, as validation let in before it looked at them, no value is refused. Then the rest of the object can still be changed. */
export function labelSelectorAfter(stored: unknown): Check {
  const values = itemsOf<LabelSelectorRequirement>(fieldsOf<LabelSelector>(stored).matchExpressions).map(
    (requirement) => fieldsOf<LabelSelectorRequirement>(requirement).values,
  );
  return values.some((each) => items(validateLabelValue)(each, '').length > 0)
    ? storedLabelSelector
    : validateLabelSelector;
}

function labelSelector(values: Check): Check {
  return fields<LabelSelector>({
    matchLabels: validateLabels,
    matchExpressions: items(
      all(validateOperator(false), fields<LabelSelectorRequirement>({ key: validateLabelName, values })),
    ),
  });
}

/** Counts the requirements of a selector. A selector without requirements selects everything. */
export function requirementCount(selector: unknown): number {
  const { matchLabels, matchExpressions } = fieldsOf<LabelSelector>(selector);
  return textEntriesOf(matchLabels).length + itemsOf(matchExpressions).length;
}
