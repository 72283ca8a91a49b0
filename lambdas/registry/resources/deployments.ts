import { copyJson, mapsEqual } from '../../objects/json.ts';
import type { ResourceEntry, Strategy } from '../ResourceEntry.ts';
import { deploymentsTable } from '../tables/deploymentsTable.ts';
import {
  validateDeployment,
  validateDeploymentStatusUpdate,
  validateDeploymentUpdate,
} from '../validation/validateDeployment.ts';
import { DEPLOYMENT_VERSIONS } from '../versions/deploymentVersions.ts';
import { scaleRules } from './scaleRules.ts';
import { specChanged } from './specChanged.ts';
import { STANDARD_VERBS } from './standardVerbs.ts';

const strategy: Strategy = {
  prepareForCreate(draft) {
    draft['status'] = {};
  },
  validate: validateDeployment,
  validateUpdate: validateDeploymentUpdate,
  validateStatusUpdate: validateDeploymentStatusUpdate,
  prepareForStatusUpdate(draft, old) {
    // The status subresource of Deployments, unlike others, leaves the labels alone.
    if (old.metadata.labels === undefined) delete draft.metadata.labels;
    else draft.metadata.labels = copyJson(old.metadata.labels);
  },
  // Annotations count too: they once carried the rollback request.
  generationChanges: (object, old) =>
    specChanged(object, old) || !mapsEqual(object.metadata.annotations, old.metadata.annotations),
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
