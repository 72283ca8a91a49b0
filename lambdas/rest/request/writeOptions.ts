import { invalid } from '../../objects/apiErrors.ts';
import type { FieldError } from '../../objects/FieldError.ts';
import { validateFieldManager } from '../../registry/fieldmanager/validateManagedFields.ts';
import type { FieldValidation } from '../schema/checkFields.ts';

/** The query options of a create, update or patch. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** The name under which the client manages fields; `''` if it gives none. */
  readonly fieldManager: string;
}

const FIELD_VALIDATIONS: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'];
/**
 * Reads `dryRun`, `fieldValidation` and `fieldManager`.
 *
 * @throws ApiError Invalid, of kind `CreateOptions`, `UpdateOptions` or `PatchOptions`.
 */
export function parseWriteOptions(query: URLSearchParams, kind: string, applies = false): WriteOptions {
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  const errors = [
    ...dryRunErrors(query.getAll('dryRun')),
    ...(kind === 'PatchOptions' ? forceErrors(query, applies, fieldManager) : []),
    ...validateFieldManager(fieldManager, 'fieldManager'),
    ...(FIELD_VALIDATIONS.includes(fieldValidation)
      ? []
      : [notSupported('fieldValidation', fieldValidation, FIELD_VALIDATIONS)]),
  ];
  if (errors.length > 0) throw invalid(`${kind}.meta.k8s.io`, '', errors);
  return {
    dryRun: query.has('dryRun'),
    fieldValidation: (fieldValidation || 'Warn') as FieldValidation,
    fieldManager,
  };
}

/** The errors of a `dryRun` option: `All` is its only valid value. */
export function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  return dryRun.every((value) => value === 'All') ? [] : [notSupported('dryRun', dryRun, ['All'])];
}

/** An apply must name its manager, and only an apply can be forced. */
function forceErrors(query: URLSearchParams, applies: boolean, fieldManager: string): FieldError[] {
  if (!applies) {
    const detail = 'may not be specified for non-apply patch';
    return query.has('force') ? [{ type: 'FieldValueForbidden', field: 'force', detail }] : [];
  }
  if (fieldManager !== '') return [];
  return [{ type: 'FieldValueRequired', field: 'fieldManager', detail: 'is required for apply patch' }];
}

export function notSupported(field: string, badValue: unknown, supported: readonly string[]): FieldError {
  const values = supported.map((value) => JSON.stringify(value)).join(', ');
  return { type: 'FieldValueNotSupported', field, badValue, detail: `supported values: ${values}` };
}
