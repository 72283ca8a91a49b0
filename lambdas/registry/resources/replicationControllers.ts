import { applyReplicationControllerDefaults } from '../defaulting/applyReplicationControllerDefaults.ts';
import type { ResourceEntry, Strategy } from '../ResourceEntry.ts';
import { replicationControllersTable } from '../tables/replicationControllersTable.ts';
import {
  validateReplicationController,
  validateReplicationControllerUpdate,
} from '../validation/validateReplicationController.ts';
import { scaleRules } from './scaleRules.ts';
import { validateReplicaSetStatusUpdate } from '../validation/validateReplicaSet.ts';
import { selectFields } from './selectFields.ts';
import { specChanged } from './specChanged.ts';
import { STANDARD_VERBS } from './standardVerbs.ts';

const strategy: Strategy = {
  prepareForCreate(draft) {
    draft['status'] = { replicas: 0 };
  },
  validate: validateReplicationController,
  validateUpdate: validateReplicationControllerUpdate,
  validateStatusUpdate: validateReplicaSetStatusUpdate,
  generationChanges: specChanged,
};

export const replicationControllers: ResourceEntry = {
  groupResource: 'replicationcontrollers',
  group: '',
  plural: 'replicationcontrollers',
  singular: 'replicationcontroller',
  kind: 'ReplicationController',
  shortNames: ['rc'],
  categories: ['all'],
  namespaced: true,
  verbs: STANDARD_VERBS,
  storageVersion: 'v1',
  versions: [{ version: 'v1', applyDefaults: applyReplicationControllerDefaults, defaultPropagation: 'Orphan' }],
  strategy,
  status: true,
  scale: scaleRules((selector) => ({ matchLabels: selector as Record<string, string> })),
  table: replicationControllersTable,
  selectableFields: (object) => selectFields(object, ['status.replicas'], { 'status.replicas': '0' }),
};
