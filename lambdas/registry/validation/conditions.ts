import type { Condition } from 'kubernetes-types/meta/v1.js';
import { isConditionReason, isQualifiedName } from '../../objects/nameFormats.ts';
import { all, type Check, distinct, enumOf, fields, format, items, nonEmptyText, present } from './checks.ts';
import { invalid, tooLong } from './fieldErrors.ts';
import { fieldsOf, numberOf, textOf } from './fieldsOf.ts';

const MAX_REASON_BYTES = 1024;
const MAX_MESSAGE_BYTES = 32 * 1024;

function atMostBytes(most: number): Check {
  return (value, path) => (Buffer.byteLength(textOf(value)) > most ? [tooLong(path, most)] : []);
}

const notNegative: Check = (value, path) =>
  numberOf(value) < 0 ? [invalid(path, value, 'must be greater than or equal to zero')] : [];

/** The conditions of a status: `metav1.Condition`, each type once. Follows apimachinery's `ValidateConditions`. */
export const conditions: Check = all(
  distinct((condition) => fieldsOf<Condition>(condition).type, '.type'),
  items(
    fields({
      type: format(isQualifiedName),
      status: enumOf('False', 'True', 'Unknown'),
      observedGeneration: notNegative,
      lastTransitionTime: present('must be set'),
      reason: nonEmptyText('must be set', all(format(isConditionReason), atMostBytes(MAX_REASON_BYTES))),
      message: atMostBytes(MAX_MESSAGE_BYTES),
    } satisfies Partial<Record<keyof Condition, Check>>),
  ),
);
