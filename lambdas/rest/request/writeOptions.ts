import { invalid } from '../../objects/apiErrors.ts';
import type { FieldError } from '../../objects/FieldError.ts';
import type { FieldValidation } from '../schema/checkFields.ts';

/** The query options of a create, update or patch. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
}

const FIELD_VALIDATIONS: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'];
const MAX_FIELD_MANAGER_LENGTH = 128;

/**
 * Reads `dryRun`, `fieldValidation` and `fieldManager`. The field manager is only checked: nothing uses it before there is server-side apply.
 *
 * @throws ApiError Invalid, of kind `CreateOptions`, `UpdateOptions` or `PatchOptions`.
 */
export function parseWriteOptions(query: URLSearchParams, kind: string): WriteOptions {
  const fieldValidation = query.get('fieldValidation') ?? '';
  const errors = [
    ...dryRunErrors(query.getAll('dryRun')),
    ...fieldManagerErrors(query.get('fieldManager') ?? ''),
    ...(FIELD_VALIDATIONS.includes(fieldValidation)
      ? []
      : [notSupported('fieldValidation', fieldValidation, FIELD_VALIDATIONS)]),
  ];
  if (errors.length > 0) throw invalid(`${kind}.meta.k8s.io`, '', errors);
  return {
    dryRun: query.getAll('dryRun').some((value) => value !== ''),
    fieldValidation: (fieldValidation || 'Warn') as FieldValidation,
  };
}

/** The errors of a `dryRun` option: `All` is its only valid value. */
export function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  const asked = dryRun.filter((value) => value !== '');
  return asked.every((value) => value === 'All') ? [] : [notSupported('dryRun', asked, ['All'])];
}

function fieldManagerErrors(manager: string): FieldError[] {
  const field = 'fieldManager';
  if (manager.length > MAX_FIELD_MANAGER_LENGTH) {
    return [{ type: 'FieldValueTooLong', field, detail: `may not be more than ${MAX_FIELD_MANAGER_LENGTH} bytes` }];
  }
  if (/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(manager)) return [];
  return [{ type: 'FieldValueInvalid', field, badValue: manager, detail: 'should only contain printable characters' }];
}

export function notSupported(field: string, badValue: unknown, supported: readonly string[]): FieldError {
  const values = supported.map((value) => JSON.stringify(value)).join(', ');
  return { type: 'FieldValueNotSupported', field, badValue, detail: `supported values: ${values}` };
}
