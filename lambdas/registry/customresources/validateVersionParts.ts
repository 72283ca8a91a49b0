import type {
  CustomResourceColumnDefinition,
  CustomResourceSubresources,
  CustomResourceSubresourceScale,
} from 'kubernetes-types/apiextensions/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { duplicate, invalid, required } from '../validation/fieldErrors.ts';
import { type Fields, fieldsOf, itemsOf, textOf } from '../validation/fieldsOf.ts';
import { findFieldPath } from '../apiextensions/schema/findFieldPath.ts';
import { parseSchema } from '../apiextensions/schema/parseSchema.ts';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const MAX_SELECTABLE_FIELDS = 8;

/** Returns the errors of subresources: Kubernetes' `ValidateCustomResourceDefinitionSubresources`. Pure. */
export function validateSubresources(subresources: unknown, path: string): FieldError[] {
  const { scale } = fieldsOf<CustomResourceSubresources>(subresources);
  if (scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = fieldsOf<CustomResourceSubresourceScale>(scale);
  return [
    ...pathErrors(textOf(specReplicasPath), `${path}.scale.specReplicasPath`, ['.spec.'], 'under .spec'),
    ...pathErrors(textOf(statusReplicasPath), `${path}.scale.statusReplicasPath`, ['.status.'], 'under .status'),
    ...(textOf(labelSelectorPath) === ''
      ? []
      : pathErrors(
          textOf(labelSelectorPath),
          `${path}.scale.labelSelectorPath`,
          ['.spec.', '.status.'],
          'under either .spec or .status',
        )),
  ];
}

function pathErrors(value: string, path: string, roots: readonly string[], where: string): FieldError[] {
  if (value === '') return [required(path)];
  const errors = simplePathErrors(value, path);
  if (errors.length > 0) return errors;
  return roots.some((root) => value.startsWith(root)) ? [] : [invalid(path, value, `should be a json path ${where}`)];
}

function simplePathErrors(value: string, path: string): FieldError[] {
  return value.startsWith('.') ? [] : [invalid(path, value, 'must be a simple json path starting with .')];
}

/** Returns the errors of printer columns: Kubernetes' `ValidateCustomResourceColumnDefinition` for each. Pure. */
export function validateColumns(columns: unknown, path: string): FieldError[] {
  return itemsOf<CustomResourceColumnDefinition>(columns).flatMap((column, index) =>
    columnErrors(column, `${path}[${index}]`),
  );
}

function columnErrors(column: Fields<CustomResourceColumnDefinition>, path: string): FieldError[] {
  const [name, type, format, jsonPath] = [column.name, column.type, column.format, column.jsonPath].map(textOf) as [
    string,
    string,
    string,
    string,
  ];
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  return [
    ...(name === '' ? [required(`${path}.name`)] : []),
    ...(type === ''
      ? [required(`${path}.type`, types)]
      : COLUMN_TYPES.includes(type)
        ? []
        : [invalid(`${path}.type`, type, types)]),
    ...(format === '' || COLUMN_FORMATS.includes(format)
      ? []
      : [invalid(`${path}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`)]),
    ...(jsonPath === '' ? [required(`${path}.JSONPath`)] : simplePathErrors(jsonPath, `${path}.JSONPath`)),
  ];
}

/** Returns the errors of selectable fields: Kubernetes' `ValidateCustomResourceSelectableFields`. `validation`: the version's `schema` member. Pure. */
export function validateSelectableFields(fields: unknown, validation: unknown, path: string): FieldError[] {
  const schema = fieldsOf<{ openAPIV3Schema: unknown }>(validation).openAPIV3Schema;
  const parsed = parseSchema(schema);
  const seen = new Set<string>();
  const errors = itemsOf<{ jsonPath: string }>(fields).flatMap(({ jsonPath }, index): FieldError[] => {
    const at = `${path}[${index}].jsonPath`;
    const value = textOf(jsonPath);
    if (value === '') return [required(at)];
    const found = findFieldPath(value, parsed, false);
    if ('error' in found) return [invalid(at, value, `is an invalid path: ${found.error}`)];
    const isRepeated = seen.has(found.path);
    seen.add(found.path);
    return [
      ...(found.names[0] === 'metadata' ? [invalid(at, value, 'must not point to fields in metadata')] : []),
      ...(SELECTABLE_TYPES.has(found.schema?.type ?? '') ? [] : [invalid(at, value, NOT_SELECTABLE)]),
      ...(isRepeated ? [duplicate(at, value)] : []),
    ];
  });
  if (seen.size <= MAX_SELECTABLE_FIELDS) return errors;
  const detail = `must have at most ${MAX_SELECTABLE_FIELDS} items`;
  return [...errors, { type: 'FieldValueTooMany', field: path, badValue: seen.size, detail }];
}

const SELECTABLE_TYPES = new Set(['string', 'boolean', 'integer']);
const NOT_SELECTABLE =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
