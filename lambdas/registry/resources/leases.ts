import type { Lease, Lease as ApiLease } from 'kubernetes-types/coordination/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import type { ResourceEntry, TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';
import { invalid } from '../validation/fieldErrors.ts';
import { STANDARD_VERBS } from './standardRules.ts';

function validateLease(object: KubernetesObject): FieldError[] {
  const { leaseDurationSeconds = 1, leaseTransitions = 0 } = (object as Stored<ApiLease>).spec ?? {};
  return [
    ...(leaseDurationSeconds <= 0
      ? [invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0')]
      : []),
    ...(leaseTransitions < 0
      ? [invalid('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0')]
      : []),
  ];
}

const leasesTable: TableRules = {
  columns: [nameColumn, column('Holder', 'Who holds the lease.'), ageColumn],
  cells(object, nowMs) {
    const { spec } = object as Lease;
    return [object.metadata.name, spec?.holderIdentity ?? '', ageOf(object.metadata.creationTimestamp, nowMs)];
  },
};

export const leases: ResourceEntry = {
  groupResource: 'leases.coordination.k8s.io',
  group: 'coordination.k8s.io',
  plural: 'leases',
  singular: 'lease',
  kind: 'Lease',
  namespaced: true,
  verbs: STANDARD_VERBS,
  storageVersion: 'v1',
  versions: [{ version: 'v1' }],
  strategy: {
    validate: validateLease,
    validateUpdate: validateLease,
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
  },
  table: leasesTable,
};
