import { applyReplicaSetDefaults } from '../defaulting/applyReplicaSetDefaults.ts';
import type { ResourceEntry, Strategy } from '../ResourceEntry.ts';
import { replicaSetsTable } from '../tables/replicaSetsTable.ts';
import { scaleRules } from './scaleRules.ts';
import { selectFields } from './selectFields.ts';
import { specChanged } from './specChanged.ts';
import { STANDARD_VERBS } from './standardVerbs.ts';

const strategy: Strategy = {
  prepareForCreate(draft) {
    draft['status'] = { replicas: 0 };
  },
  generationChanges: specChanged,
};

export const replicaSets: ResourceEntry = {
  groupResource: 'replicasets.apps',
  group: 'apps',
  plural: 'replicasets',
  singular: 'replicaset',
  kind: 'ReplicaSet',
  shortNames: ['rs'],
  categories: ['all'],
  namespaced: true,
  verbs: STANDARD_VERBS,
  storageVersion: 'v1',
  versions: [{ version: 'v1', applyDefaults: applyReplicaSetDefaults }],
  strategy,
  status: true,
  scale: scaleRules((selector) => selector),
  table: replicaSetsTable,
  selectableFields: (object) => selectFields(object, ['status.replicas'], { 'status.replicas': '0' }),
};
