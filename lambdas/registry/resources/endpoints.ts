import type { ResourceEntry } from '../ResourceEntry.ts';
import { endpointsTable } from '../tables/endpointsTable.ts';
import { STANDARD_VERBS } from './standardVerbs.ts';

export const endpoints: ResourceEntry = {
  groupResource: 'endpoints',
  group: '',
  plural: 'endpoints',
  singular: 'endpoints',
  kind: 'Endpoints',
  shortNames: ['ep'],
  namespaced: true,
  verbs: STANDARD_VERBS,
  storageVersion: 'v1',
  versions: [{ version: 'v1' }],
  strategy: { allowCreateOnUpdate: true },
  table: endpointsTable,
};
