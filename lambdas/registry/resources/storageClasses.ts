import type { StorageClass as ApiStorageClass } from 'kubernetes-types/storage/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { isQualifiedName } from '../../objects/nameFormats.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { type Check, enumOf, fields, format, ifSet, nonEmptyText, present } from '../validation/checks.ts';
import { forbidden, invalid } from '../validation/fieldErrors.ts';
import { textEntriesOf } from '../validation/fieldsOf.ts';

type StorageClass = Stored<ApiStorageClass>;

const DEFAULT_ANNOTATION = 'storageclass.kubernetes.io/is-default-class';
const FIXED = ['parameters', 'provisioner', 'reclaimPolicy'] as const;

const parameters: Check = (value, path) =>
  textEntriesOf(value)
    .filter(([key]) => key === '')
    .map(() => invalid(path, '', 'field can not be empty.'));

function fixedErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  return FIXED.filter((field) => !jsonEqual(object[field] ?? {}, old[field] ?? {})).map((field) =>
    forbidden(field, `updates to ${field} are forbidden.`),
  );
}

/** True for the class of claims that name none. */
export function isDefaultClass({ metadata }: KubernetesObject): boolean {
  return metadata.annotations?.[DEFAULT_ANNOTATION] === 'true';
}

export const storageClasses = defineResource({
  group: 'storage.k8s.io',
  kind: 'StorageClass',
  plural: 'storageclasses',
  shortNames: ['sc'],
  namespaced: false,
  defaults: { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
  check: fields({
    provisioner: nonEmptyText(
      '',
      format((name) => isQualifiedName(name.toLowerCase())),
    ),
    parameters,
    reclaimPolicy: ifSet(enumOf('Delete', 'Retain')),
    volumeBindingMode: present('', enumOf('Immediate', 'WaitForFirstConsumer')),
  }),
  immutable: ['volumeBindingMode'],
  strategy: { validateUpdate: fixedErrors },
  table: tableOf<StorageClass>(
    { ...nameCell, of: (it) => (isDefaultClass(it) ? `${it.metadata.name} (default)` : it.metadata.name) },
    cell('Provisioner', 'What makes the volumes.', ({ provisioner }) => provisioner),
    cell(
      'ReclaimPolicy',
      'What happens to a volume whose claim is gone.',
      ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete',
    ),
    cell(
      'VolumeBindingMode',
      'When volumes are made and bound.',
      ({ volumeBindingMode }) => volumeBindingMode ?? '<unset>',
    ),
    cell(
      'AllowVolumeExpansion',
      'Whether volumes can grow.',
      ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false,
    ),
    ageCell,
  ),
});
