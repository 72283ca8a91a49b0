import type { FieldError } from '../../objects/FieldError.ts';
import { jsonEqual } from '../../objects/json.ts';

/** Constructors of field errors, named as in apimachinery's `field` package. */

export function invalid(field: string, badValue: unknown, detail: string): FieldError {
  return { type: 'FieldValueInvalid', field, badValue, detail };
}

/** One error for each message of a format check. */
export function invalidEach(field: string, badValue: unknown, details: readonly string[]): FieldError[] {
  return details.map((detail) => invalid(field, badValue, detail));
}

export function required(field: string, detail = ''): FieldError {
  return { type: 'FieldValueRequired', field, badValue: '', detail };
}

export function forbidden(field: string, detail: string): FieldError {
  return { type: 'FieldValueForbidden', field, badValue: '', detail };
}

export function duplicate(field: string, badValue: unknown): FieldError {
  return { type: 'FieldValueDuplicate', field, badValue, detail: '' };
}

export function notFound(field: string, badValue: unknown): FieldError {
  return { type: 'FieldValueNotFound', field, badValue, detail: '' };
}

export function tooLong(field: string, maxBytes: number): FieldError {
  return { type: 'FieldValueTooLong', field, badValue: '', detail: `may not be more than ${maxBytes} bytes` };
}

export function tooMany(field: string, count: number, most: number): FieldError {
  return { type: 'FieldValueTooMany', field, badValue: count, detail: `must have at most ${most} items` };
}

export function notSupported(field: string, badValue: unknown, supported: readonly string[]): FieldError {
  const values = supported.map((value) => JSON.stringify(value)).join(', ');
  return { type: 'FieldValueNotSupported', field, badValue, detail: `supported values: ${values}` };
}

export function nonNegative(field: string, value: number): FieldError[] {
  return value < 0 ? [invalid(field, value, 'must be greater than or equal to 0')] : [];
}

/** An error if a field that may never change has changed. Pure. */
export function immutableField(field: string, value: unknown, old: unknown): FieldError[] {
  return jsonEqual(value, old)
    ? []
    : [{ type: 'FieldValueInvalid', field, badValue: value, detail: 'field is immutable' }];
}
