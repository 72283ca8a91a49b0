import type { ServiceAccount } from 'kubernetes-types/core/v1.js';
import type { ResourceEntry, TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';
import { STANDARD_VERBS } from './standardRules.ts';

const serviceAccountsTable: TableRules = {
  columns: [nameColumn, column('Secrets', 'How many secrets its pods may mount.'), ageColumn],
  cells(object, nowMs) {
    const { secrets = [] } = object as ServiceAccount;
    return [object.metadata.name, secrets.length, ageOf(object.metadata.creationTimestamp, nowMs)];
  },
};

export const serviceAccounts: ResourceEntry = {
  groupResource: 'serviceaccounts',
  group: '',
  plural: 'serviceaccounts',
  singular: 'serviceaccount',
  kind: 'ServiceAccount',
  shortNames: ['sa'],
  namespaced: true,
  verbs: STANDARD_VERBS,
  storageVersion: 'v1',
  versions: [{ version: 'v1' }],
  strategy: {},
  table: serviceAccountsTable,
};
