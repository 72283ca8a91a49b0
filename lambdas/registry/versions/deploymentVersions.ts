import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import {
  APPS_V1_DEPLOYMENT_DEFAULTS,
  applyDeploymentDefaults,
  type DeploymentDefaults,
  fillDeployment,
} from '../defaulting/applyDeploymentDefaults.ts';
import type { ServedVersion } from '../ResourceEntry.ts';
import { selectAndLabelAsTemplate } from './selectAndLabelAsTemplate.ts';
import { annotateRollback, restoreRollback } from './rollbackAnnotation.ts';

/** What "none" was written as before a Deployment could leave a limit out. */
const NO_LIMIT = 2_147_483_647;

const APPS_V1BETA1_DEFAULTS: DeploymentDefaults = { ...APPS_V1_DEPLOYMENT_DEFAULTS, revisionHistoryLimit: 2 };
const EXTENSIONS_DEFAULTS: DeploymentDefaults = {
  maxSurge: 1,
  maxUnavailable: 1,
  revisionHistoryLimit: NO_LIMIT,
  progressDeadlineSeconds: NO_LIMIT,
};

/**
 * Deployments in all versions that Kubernetes ever served, apps/v1 being the one that is stored. Before apps/v1beta2 the selector and the labels could be left to the template,
 * a rollback was a field of the spec, and a deletion left the ReplicaSets behind.
 */
export const DEPLOYMENT_VERSIONS: readonly ServedVersion[] = [
  { version: 'v1', applyDefaults: applyDeploymentDefaults },
  { version: 'v1beta2', applyDefaults: applyDeploymentDefaults },
  {
    version: 'v1beta1',
    applyDefaults: (draft) => fillOldDeployment(draft, APPS_V1BETA1_DEFAULTS),
    toStorage: annotateRollback,
    fromStorage: restoreRollback,
    defaultPropagation: 'Orphan',
  },
  {
    group: 'extensions',
    version: 'v1beta1',
    applyDefaults: (draft) => fillOldDeployment(draft, EXTENSIONS_DEFAULTS),
    toStorage: annotateRollback,
    fromStorage: restoreRollback,
    defaultPropagation: 'Orphan',
  },
];

function fillOldDeployment(draft: KubernetesObject, defaults: DeploymentDefaults): void {
  fillDeployment(draft, defaults);
  selectAndLabelAsTemplate(draft);
}
