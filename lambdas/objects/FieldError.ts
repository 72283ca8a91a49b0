import type { StatusCause } from './ApiError.ts';
import { escapeForHtml } from './go/goJson.ts';
import { goQuote, MAX_QUOTED_LENGTH } from './go/goQuote.ts';
import { shortJson } from './json.ts';

/** field.ErrorType of apimachinery: the value is the `reason` of a Status cause. */
type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/** Stands for a value that is not shown in the message, since it may be large. */
export const OMITTED_VALUE = Symbol('omitted value');

/** One error of one field. `detail` is the sentence after the value; see `fieldErrorMessage` for the whole message. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** `spec.template.spec.containers[0].image` */
  readonly field: string;
  readonly badValue?: unknown;
  readonly detail: string;
}

const TITLES: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
};

/** Types whose message shows no value, because the value is missing or would be too long. */
const WITHOUT_VALUE = new Set<FieldErrorType>([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'InternalError',
]);

/** Words an error without its field, as apimachinery's `field.Error.ErrorBody`: `Invalid value: -1: must be greater than or equal to 0`. */
function fieldErrorBody(error: FieldError): string {
  const value = showsValue(error) ? `: ${goValue(error.badValue)}` : '';
  return `${TITLES[error.type]}${value}${error.detail === '' ? '' : `: ${error.detail}`}`;
}

/** Words an error: `spec.replicas: Invalid value: -1: must be greater than or equal to 0`. */
export function fieldErrorMessage(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`;
}

/** Words several errors as Kubernetes aggregates them: a single one stands alone, more stand in brackets, and repetitions are dropped. */
export function fieldErrorsMessage(errors: readonly FieldError[]): string {
  const messages = [...new Set(errors.map(fieldErrorMessage))];
  return messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`;
}

/** The characters of what these errors say: a value of kilobytes can be wrong in ways that are told in megabytes. */
export function lengthOfErrors(errors: readonly FieldError[]): number {
  return errors.reduce((sum, { field, badValue, detail }) => {
    const shown = typeof badValue === 'string' ? badValue.length : 0;
    return sum + field.length + shown + detail.length;
  }, 0);
}

export function fieldErrorCause(error: FieldError): StatusCause {
  return { reason: error.type, message: fieldErrorBody(error), field: error.field };
}

function showsValue({ type, badValue }: FieldError): boolean {
  return (
    !WITHOUT_VALUE.has(type) && badValue !== OMITTED_VALUE && !(type === 'FieldValueTooMany' && badValue === undefined)
  );
}

/** Prints a value: strings in quotes, an absent value as `"null"`, numbers, booleans and `null` bare, everything else as JSON. */
function goValue(value: unknown): string {
  if (value === undefined) return '"null"';
  if (typeof value === 'string') return goQuote(value);
  return escapeForHtml(shortJson(value, MAX_QUOTED_LENGTH));
}
