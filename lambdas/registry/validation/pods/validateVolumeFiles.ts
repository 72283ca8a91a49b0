import type * as core from 'kubernetes-types/core/v1.js';
import { all, type Check, fields, given, ifPresent, items, missing, nonEmptyText, when } from '../checks.ts';
import { invalid } from '../fieldErrors.ts';
import { isPresent, numberOf } from '../fieldsOf.ts';
import { validateFieldRef, validateResourceFieldRef } from './validateFieldRefs.ts';
import { validateLocalNonReservedPath } from './validatePaths.ts';

const VOLUME_FIELDS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/** The mode of a file. */
export const validateMode: Check = ifPresent((mode, path) =>
  numberOf(mode) >= 0 && numberOf(mode) <= 0o777
    ? []
    : [invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive')],
);

const file = all(nonEmptyText(), validateLocalNonReservedPath);

/** The paths and modes of the files that keys become. */
export const validateKeysToPaths = items(
  fields<core.KeyToPath>({ key: nonEmptyText(), path: file, mode: validateMode }),
);

/** A file of the downward API. As in Kubernetes, errors name the source and not the item. */
export const validateDownwardApiFile = given<core.DownwardAPIVolumeFile>(({ fieldRef, resourceFieldRef }) => {
  const both: Check = (_, path) => [
    invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'),
  ];
  const [isField, isResource] = [isPresent(fieldRef), isPresent(resourceFieldRef)];
  return all(
    fields<core.DownwardAPIVolumeFile>({
      path: file,
      fieldRef: when(isField, (value, path) => validateFieldRef(value, VOLUME_FIELDS, path)),
      resourceFieldRef: when(!isField && isResource, (value, path) => validateResourceFieldRef(value, true, path)),
    }),
    when(isField && isResource, both),
    when(!isField && !isResource, missing('one of fieldRef and resourceFieldRef is required')),
    fields<core.DownwardAPIVolumeFile>({ mode: validateMode }),
  );
});
