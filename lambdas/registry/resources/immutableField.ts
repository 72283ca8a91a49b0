import type { FieldError } from '../../objects/FieldError.ts';
import { jsonEqual } from '../../objects/json.ts';

/** The error of a field that may never change, if it did. Pure. */
export function immutableField(field: string, value: unknown, old: unknown): FieldError[] {
  return jsonEqual(value, old)
    ? []
    : [{ type: 'FieldValueInvalid', field, badValue: value, detail: 'field is immutable' }];
}
