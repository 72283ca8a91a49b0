import type { ResourceEntry } from '../ResourceEntry.ts';
import { serviceAccountsTable } from '../tables/serviceAccountsTable.ts';
import { STANDARD_VERBS } from './standardVerbs.ts';

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
