import type { ManagedFieldsEntry } from 'kubernetes-types/meta/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { tooLong } from '../validation/fieldErrors.ts';

/** The longest name of a manager, and of the subresource that it wrote, in bytes. */
export const MAX_FIELD_MANAGER_BYTES = 128;
const MAX_SUBRESOURCE_BYTES = 256;

/** A character that no manager's name has: neither a letter, mark, number, punctuation mark or symbol, nor a space. */
export const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** Returns the errors of the owners of an object's fields: apimachinery's `ValidateManagedFields`, as far as entries that could be read can be wrong. Pure. */
export function validateManagedFields(entries: readonly ManagedFieldsEntry[], path: string): FieldError[] {
  return entries.flatMap(({ manager = '', subresource = '' }, index) => [
    ...validateFieldManager(manager, `${path}[${index}].manager`),
    ...sizeErrors(subresource, `${path}[${index}].subresource`, MAX_SUBRESOURCE_BYTES),
  ]);
}

/** Returns the errors of the name of a manager: apimachinery's `ValidateFieldManager`. Pure. */
export function validateFieldManager(manager: string, field: string): FieldError[] {
  const errors = sizeErrors(manager, field, MAX_FIELD_MANAGER_BYTES);
  let position = 0;
  for (const character of manager) {
    const detail = `invalid character ${codePointText(character)} (at position ${position})`;
    if (UNPRINTABLE.test(character)) errors.push({ type: 'FieldValueInvalid', field, badValue: manager, detail });
    position += Buffer.byteLength(character);
  }
  return errors;
}

function sizeErrors(text: string, field: string, maxBytes: number): FieldError[] {
  return Buffer.byteLength(text) <= maxBytes ? [] : [tooLong(field, maxBytes)];
}

/** `U+000A` */
function codePointText(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
