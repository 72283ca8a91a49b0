import type { FieldError } from '../../../objects/FieldError.ts';
import { invalid, notSupported, required } from '../../validation/fieldErrors.ts';
import { ValueResult } from './ValueResult.ts';

/**
 * The errors of go-openapi's `validate` and how apiextensions-apiserver turns them into field errors. `path` is the path within the validated value, which
 * stands in the message; `base` is where that value stands, and belongs to the field alone.
 */
export interface Place {
  readonly base: string;
  readonly path: string;
}

function fieldOf({ base, path }: Place): string {
  if (path === '' || path === '.') return base;
  const inner = path.startsWith('.') ? path.slice(1) : path;
  return base === '' ? inner : `${base}.${inner}`;
}

function one(message: string, error: FieldError): ValueResult {
  return new ValueResult().add(message, error);
}

/** An error with go-openapi's own sentence: `spec.min in body should be greater than or equal to 3`. */
export function sentence(place: Place, value: unknown, predicate: string): ValueResult {
  const message = `${place.path} in body ${predicate}`;
  return one(message, invalid(fieldOf(place), value, message));
}

/** An error that names no field: only its sentence says where it is. `<nil>` is how Go prints the path of the root. */
export function unplaced({ base }: Place, message: string): ValueResult {
  return one(message, invalid(base === '' ? '<nil>' : base, '', message));
}

export function wrongType(place: Place, expected: string, actual: string): ValueResult {
  const message = `${place.path} in body must be of type ${expected}: ${JSON.stringify(actual)}`;
  return one(message, {
    type: 'FieldValueTypeInvalid',
    field: fieldOf(place),
    badValue: actual,
    detail: message,
  });
}

export function missing(place: Place, name: string): ValueResult {
  const path = `${place.path}.${name}`;
  return one(`${path} in body is required`, required(fieldOf({ base: place.base, path })));
}

export function notInEnum(place: Place, value: unknown, values: readonly unknown[]): ValueResult {
  const words = values.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  return one(
    `${place.path} in body should be one of [${words.join(' ')}]`,
    notSupported(fieldOf(place), value ?? '', words),
  );
}

export function tooLongText(place: Place, maxLength: number): ValueResult {
  return one(`${place.path} in body should be at most ${maxLength} chars long`, {
    type: 'FieldValueTooLong',
    field: fieldOf(place),
    badValue: '',
    detail: `may not be more than ${maxLength} bytes`,
  });
}

export function tooMany(place: Place, what: 'items' | 'properties', count: number, max: number): ValueResult {
  return one(`${place.path} in body should have at most ${max} ${what}`, {
    type: 'FieldValueTooMany',
    field: fieldOf(place),
    badValue: count,
    detail: `must have at most ${max} items`,
  });
}
