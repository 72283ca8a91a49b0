import { mapsEqual } from '../../objects/json.ts';
import type { Deployment } from '../../objects/kinds.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { applyPodTemplateDefaults } from '../defaulting/applyPodDefaults.ts';
import { childDraft, type Draft, dropZero, fillAbsent, fillZero } from '../defaulting/drafts.ts';
import type { ResourceEntry, Strategy, TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, formatSelector, nameColumn, templateCells, templateColumns } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';
import { workloadWarnings } from '../validation/pods/podWarnings.ts';
import {
  validateDeployment,
  validateDeploymentStatusUpdate,
  validateDeploymentUpdate,
} from '../validation/workloads/validateDeployment.ts';
import { scaleRules } from './scaleRules.ts';
import { specChanged, STANDARD_VERBS } from './standardRules.ts';

/** Fills in the defaults of a Deployment. */
export function applyDeploymentDefaults(draft: KubernetesObject): void {
  const spec = childDraft(draft, 'spec');
  dropZero(spec, 'paused', 'minReadySeconds');
  applyPodTemplateDefaults(childDraft(spec, 'template'));
  fillAbsent(spec, 'replicas', 1);
  applyStrategyDefaults(childDraft(spec, 'strategy'));
  fillAbsent(spec, 'revisionHistoryLimit', 10);
  fillAbsent(spec, 'progressDeadlineSeconds', 600);
}

function applyStrategyDefaults(updateStrategy: Draft): void {
  fillZero(updateStrategy, 'type', 'RollingUpdate');
  if (updateStrategy['rollingUpdate'] === null) delete updateStrategy['rollingUpdate'];
  if (updateStrategy['type'] !== 'RollingUpdate') return;
  const rollingUpdate = childDraft(updateStrategy, 'rollingUpdate');
  fillAbsent(rollingUpdate, 'maxUnavailable', '25%');
  fillAbsent(rollingUpdate, 'maxSurge', '25%');
}

const strategy: Strategy = {
  prepareForCreate(draft) {
    draft['status'] = {};
  },
  validate: validateDeployment,
  warnings: workloadWarnings,
  validateUpdate: validateDeploymentUpdate,
  validateStatusUpdate: validateDeploymentStatusUpdate,
  keptByStatus: ['metadata.labels'],
  prepareForStatusUpdate(draft, old) {
    // The status subresource of Deployments, unlike others, leaves the labels alone.
    if (old.metadata.labels === undefined) delete draft.metadata.labels;
    else draft.metadata.labels = old.metadata.labels;
  },
  // Annotations count too: one of them asks for a rollback.
  generationChanges: (object, old) =>
    specChanged(object, old) || !mapsEqual(object.metadata.annotations, old.metadata.annotations),
};

const deploymentsTable: TableRules = {
  columns: [
    nameColumn,
    column('Ready', 'How many of the wanted pods are ready.'),
    column('Up-to-date', 'How many pods have the template that is wanted now.'),
    column('Available', 'How many pods have been ready for minReadySeconds.'),
    ageColumn,
    ...templateColumns,
  ],
  cells(object, nowMs) {
    const { metadata, spec, status } = object as Deployment;
    return [
      metadata.name,
      `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      status?.updatedReplicas ?? 0,
      status?.availableReplicas ?? 0,
      ageOf(metadata.creationTimestamp, nowMs),
      ...templateCells(spec?.template),
      formatSelector(spec?.selector, ''),
    ];
  },
};

export const deployments: ResourceEntry = {
  groupResource: 'deployments.apps',
  group: 'apps',
  plural: 'deployments',
  singular: 'deployment',
  kind: 'Deployment',
  shortNames: ['deploy'],
  categories: ['all'],
  namespaced: true,
  verbs: STANDARD_VERBS,
  storageVersion: 'v1',
  versions: [{ version: 'v1', applyDefaults: applyDeploymentDefaults }],
  strategy,
  status: true,
  scale: scaleRules((selector) => selector),
  table: deploymentsTable,
};
