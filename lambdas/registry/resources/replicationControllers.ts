import type { ReplicationController } from '../../objects/kinds.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { applyPodTemplateDefaults } from '../defaulting/applyPodDefaults.ts';
import { childDraft, dropZero, fillAbsent, presentDraft } from '../defaulting/drafts.ts';
import { isEmptyMap, labelAsTemplate, templateLabels } from '../defaulting/templateLabels.ts';
import type { ResourceEntry, Strategy } from '../ResourceEntry.ts';
import { formatLabels } from '../tables/columns.ts';
import { replicasTable } from '../tables/replicasTable.ts';
import { validateReplicaSetStatusUpdate } from '../validation/workloads/validateReplicaSet.ts';
import { workloadWarnings } from '../validation/pods/podWarnings.ts';
import {
  validateReplicationController,
  validateReplicationControllerUpdate,
} from '../validation/workloads/validateReplicationController.ts';
import { scaleRules } from './scaleRules.ts';
import { selectFields, specChanged, STANDARD_VERBS } from './standardRules.ts';

/** Fills in the defaults of a ReplicationController: its selector and its own labels default to the template's labels. */
export function applyReplicationControllerDefaults(draft: KubernetesObject): void {
  const spec = childDraft(draft, 'spec');
  dropZero(spec, 'minReadySeconds');
  const template = presentDraft(spec, 'template');
  if (template !== undefined) applyPodTemplateDefaults(template);
  fillAbsent(spec, 'replicas', 1);
  const labels = templateLabels(draft);
  if (labels === undefined) return;
  if (isEmptyMap(spec['selector'])) spec['selector'] = { ...labels };
  labelAsTemplate(draft);
}

const strategy: Strategy = {
  prepareForCreate(draft) {
    draft['status'] = { replicas: 0 };
  },
  validate: validateReplicationController,
  warnings: workloadWarnings,
  validateUpdate: validateReplicationControllerUpdate,
  validateStatusUpdate: validateReplicaSetStatusUpdate,
  generationChanges: specChanged,
};

const replicationControllersTable = replicasTable<ReplicationController>(({ spec }) => formatLabels(spec?.selector));

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
