import type { ReplicaSet } from '../../objects/kinds.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { applyPodTemplateDefaults } from '../defaulting/applyPodDefaults.ts';
import { childDraft, dropZero, fillAbsent } from '../defaulting/drafts.ts';
import type { ResourceEntry, Strategy } from '../ResourceEntry.ts';
import { formatSelector } from '../tables/columns.ts';
import { replicasTable } from '../tables/replicasTable.ts';
import { workloadWarnings } from '../validation/pods/podWarnings.ts';
import {
  validateReplicaSet,
  validateReplicaSetStatusUpdate,
  validateReplicaSetUpdate,
} from '../validation/workloads/validateReplicaSet.ts';
import { scaleRules } from './scaleRules.ts';
import { selectFields, specChanged, STANDARD_VERBS } from './standardRules.ts';

/** Fills in the defaults of a ReplicaSet. */
export function applyReplicaSetDefaults(draft: KubernetesObject): void {
  const spec = childDraft(draft, 'spec');
  dropZero(spec, 'minReadySeconds');
  applyPodTemplateDefaults(childDraft(spec, 'template'));
  fillAbsent(spec, 'replicas', 1);
}

const strategy: Strategy = {
  prepareForCreate(draft) {
    draft['status'] = { replicas: 0 };
  },
  validate: validateReplicaSet,
  warnings: workloadWarnings,
  validateUpdate: validateReplicaSetUpdate,
  validateStatusUpdate: validateReplicaSetStatusUpdate,
  generationChanges: specChanged,
};

const replicaSetsTable = replicasTable<ReplicaSet>(({ spec }) => formatSelector(spec?.selector));

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
