import type { StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { isDns1123Label } from '../../objects/nameFormats.ts';
import { applyPodTemplateDefaults } from '../defaulting/applyPodDefaults.ts';
import { childDraft, itemDrafts } from '../defaulting/drafts.ts';
import { fillDefaults } from '../defaulting/fillDefaults.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, containerCells, nameCell, tableOf } from '../tables/tableOf.ts';
import { templateWarnings } from '../validation/pods/podWarnings.ts';
import {
  validateStatefulSet,
  validateStatefulSetStatusUpdate,
  validateStatefulSetUpdate,
} from '../validation/workloads/validateStatefulSet.ts';
import { CLAIM_DEFAULTS } from './persistentVolumeClaims.ts';
import { scaleRules } from './scaleRules.ts';

function applyTemplateDefaults(draft: KubernetesObject): void {
  const spec = childDraft(draft, 'spec');
  applyPodTemplateDefaults(childDraft(spec, 'template'));
  fillDefaults(draft, { 'spec.updateStrategy.type': 'RollingUpdate' });
  const strategy = childDraft(spec, 'updateStrategy');
  if (strategy['type'] === 'RollingUpdate') fillDefaults(strategy, { 'rollingUpdate.partition': 0 });
  for (const claim of itemDrafts(spec, 'volumeClaimTemplates')) {
    Object.assign(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' });
    fillDefaults(claim, { ...CLAIM_DEFAULTS, 'status.phase': 'Pending' });
  }
}

export const statefulSets = defineResource({
  group: 'apps',
  kind: 'StatefulSet',
  shortNames: ['sts'],
  categories: ['all'],
  namespaced: true,
  status: true,
  scale: scaleRules((selector) => selector),
  hasGeneration: true,
  applyDefaults: applyTemplateDefaults,
  defaults: {
    'spec.podManagementPolicy': 'OrderedReady',
    'spec.replicas': 1,
    'spec.revisionHistoryLimit': 10,
    'spec.persistentVolumeClaimRetentionPolicy.whenDeleted': 'Retain',
    'spec.persistentVolumeClaimRetentionPolicy.whenScaled': 'Retain',
  },
  strategy: {
    nameErrors: isDns1123Label,
    prepareForCreate(draft) {
      draft['status'] = { replicas: 0, availableReplicas: 0 };
    },
    validate: validateStatefulSet,
    warnings: templateWarnings,
    validateUpdate: validateStatefulSetUpdate,
    validateStatusUpdate: validateStatefulSetStatusUpdate,
  },
  table: tableOf<StatefulSet>(
    nameCell,
    cell(
      'Ready',
      'How many of the wanted pods are ready.',
      ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    ),
    ageCell,
    ...containerCells<StatefulSet>(({ spec }) => spec?.template),
  ),
});
