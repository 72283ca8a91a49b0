import { mapsEqual } from '../../objects/json.ts';
import type { Deployment } from '../../objects/kinds.ts';
import type { ResourceEntry, Strategy, TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, formatSelector, nameColumn, templateCells, templateColumns } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';
import {
  validateDeployment,
  validateDeploymentStatusUpdate,
  validateDeploymentUpdate,
} from '../validation/workloads/validateDeployment.ts';
import { DEPLOYMENT_VERSIONS } from '../versions/deploymentVersions.ts';
import { scaleRules } from './scaleRules.ts';
import { specChanged, STANDARD_VERBS } from './standardRules.ts';

const strategy: Strategy = {
  prepareForCreate(draft) {
    draft['status'] = {};
  },
  validate: validateDeployment,
  validateUpdate: validateDeploymentUpdate,
  validateStatusUpdate: validateDeploymentStatusUpdate,
  keptByStatus: ['metadata.labels'],
  prepareForStatusUpdate(draft, old) {
    // The status subresource of Deployments, unlike others, leaves the labels alone.
    if (old.metadata.labels === undefined) delete draft.metadata.labels;
    else draft.metadata.labels = old.metadata.labels;
  },
  // Annotations count too: they once carried the rollback request.
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
  versions: DEPLOYMENT_VERSIONS,
  strategy,
  status: true,
  scale: scaleRules((selector) => selector),
  table: deploymentsTable,
};
