/** field.ErrorType of apimachinery: the value is the `reason` of a Status cause. */
export type FieldErrorType =
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

/** One thing wrong with one field. `detail` is the sentence behind the value; see `fieldErrorMessage` for the whole wording. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** `spec.template.spec.containers[0].image` */
  readonly field: string;
  readonly badValue?: unknown;
  readonly detail: string;
}
