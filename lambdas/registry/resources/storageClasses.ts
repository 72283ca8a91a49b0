import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from 'kubernetes-types/core/v1.js';
import type { StorageClass as ApiStorageClass } from 'kubernetes-types/storage/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { isQualifiedName } from '../../objects/nameFormats.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import {
  all,
  type Check,
  distinct,
  enumOf,
  fields,
  format,
  ifSet,
  items,
  nonEmptyList,
  nonEmptyText,
  present,
} from '../validation/checks.ts';
import { duplicate, forbidden, immutableField } from '../validation/fieldErrors.ts';
import { fieldsOf, itemsOf } from '../validation/fieldsOf.ts';
import { storageParameters } from '../validation/storage/storageParameters.ts';

type StorageClass = Stored<ApiStorageClass>;

const DEFAULT_ANNOTATION = 'storageclass.kubernetes.io/is-default-class';
const FIXED = ['parameters', 'provisioner', 'reclaimPolicy'] as const;

/** Upstream's `ValidateTopologySelectorTerm`. */
const topologyTerm: Check = fields({
  matchLabelExpressions: all(
    items(
      fields({
        values: nonEmptyList(
          '',
          distinct((value) => value),
        ),
        key: format(isQualifiedName),
      }),
    ),
    distinct((requirement) => fieldsOf<TopologySelectorLabelRequirement>(requirement).key, '.key'),
  ),
});

const allowedTopologies: Check = (value, path) => {
  const terms = itemsOf<TopologySelectorTerm>(value);
  return terms.flatMap((term, index) => [
    ...topologyTerm(term, `${path}[${index}]`),
    ...(terms.slice(0, index).some((one) => jsonEqual(one, term))
      ? [duplicate(`${path}[${index}].matchLabelExpressions`, '')]
      : []),
  ]);
};

const check = fields({
  provisioner: nonEmptyText(
    '',
    format((name) => isQualifiedName(name.toLowerCase())),
  ),
  parameters: storageParameters,
  reclaimPolicy: ifSet(enumOf('Delete', 'Retain')),
  volumeBindingMode: present('', enumOf('Immediate', 'WaitForFirstConsumer')),
  allowedTopologies,
});

function fixedErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const fixed = FIXED.filter((field) => !jsonEqual(object[field] ?? {}, old[field] ?? {}));
  return [
    ...fixed.map((field) => forbidden(field, `updates to ${field} are forbidden.`)),
    ...immutableField('volumeBindingMode', object['volumeBindingMode'], old['volumeBindingMode']),
  ];
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
  check,
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
