import type { DownwardAPIVolumeFile, KeyToPath } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { invalid, required } from '../fieldErrors.ts';
import { type Fields, isPresent, itemsOf, numberOf, textOf } from '../fieldsOf.ts';
import { validateFieldRef, validateResourceFieldRef } from './validateFieldRefs.ts';
import { validateLocalNonReservedPath } from './validatePaths.ts';

const VOLUME_FIELDS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/** Validates the paths and modes of the files that keys become. */
export function validateKeysToPaths(items: unknown, path: string): FieldError[] {
  return itemsOf<KeyToPath>(items).flatMap((item, index) => {
    const [key, file] = [textOf(item.key), textOf(item.path)];
    return [
      ...(key === '' ? [required(`${path}[${index}].key`)] : []),
      ...(file === '' ? [required(`${path}[${index}].path`)] : []),
      ...validateLocalNonReservedPath(file, `${path}[${index}].path`),
      ...validateMode(item.mode, `${path}[${index}].mode`),
    ];
  });
}

/** Validates the mode of a file. */
export function validateMode(mode: unknown, path: string): FieldError[] {
  if (!isPresent(mode) || (numberOf(mode) >= 0 && numberOf(mode) <= 0o777)) return [];
  return [invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive')];
}

/** Validates a file of the downward API. As in Kubernetes, errors name the source and not the item. */
export function validateDownwardApiFile(file: Fields<DownwardAPIVolumeFile>, path: string): FieldError[] {
  const name = textOf(file.path);
  return [
    ...(name === '' ? [required(`${path}.path`)] : []),
    ...validateLocalNonReservedPath(name, `${path}.path`),
    ...validateFileSource(file, path),
    ...validateMode(file.mode, `${path}.mode`),
  ];
}

function validateFileSource({ fieldRef, resourceFieldRef }: Fields<DownwardAPIVolumeFile>, path: string): FieldError[] {
  if (isPresent(fieldRef)) {
    const both = 'fieldRef and resourceFieldRef can not be specified simultaneously';
    return [
      ...validateFieldRef(fieldRef, VOLUME_FIELDS, `${path}.fieldRef`),
      ...(isPresent(resourceFieldRef) ? [invalid(path, 'resource', both)] : []),
    ];
  }
  if (isPresent(resourceFieldRef)) return validateResourceFieldRef(resourceFieldRef, true, `${path}.resourceFieldRef`);
  return [required(path, 'one of fieldRef and resourceFieldRef is required')];
}
