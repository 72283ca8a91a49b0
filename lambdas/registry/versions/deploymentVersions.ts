import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { applyPodTemplateDefaults } from '../defaulting/applyPodDefaults.ts';
import { childDraft, type Draft, dropZero, fillAbsent, fillZero } from '../defaulting/drafts.ts';
import type { ServedVersion } from '../ResourceEntry.ts';
import { annotateRollback, restoreRollback } from './deploymentRollback.ts';
import { selectAndLabelAsTemplate } from '../defaulting/templateLabels.ts';

/** The defaults that differ between the versions of a Deployment. */
interface DeploymentDefaults {
  readonly maxSurge: number | string;
  readonly maxUnavailable: number | string;
  readonly revisionHistoryLimit: number;
  readonly progressDeadlineSeconds: number;
}

const APPS_V1_DEFAULTS: DeploymentDefaults = {
  maxSurge: '25%',
  maxUnavailable: '25%',
  revisionHistoryLimit: 10,
  progressDeadlineSeconds: 600,
};

/** Fills in the defaults of apps/v1 and apps/v1beta2 Deployments. */
export function applyDeploymentDefaults(draft: KubernetesObject): void {
  fillDeployment(draft, APPS_V1_DEFAULTS);
}

/** Fills in the defaults of one version. */
function fillDeployment(draft: KubernetesObject, defaults: DeploymentDefaults): void {
  const spec = childDraft(draft, 'spec');
  dropZero(spec, 'paused', 'minReadySeconds');
  applyPodTemplateDefaults(childDraft(spec, 'template'));
  fillAbsent(spec, 'replicas', 1);
  fillStrategy(childDraft(spec, 'strategy'), defaults);
  fillAbsent(spec, 'revisionHistoryLimit', defaults.revisionHistoryLimit);
  fillAbsent(spec, 'progressDeadlineSeconds', defaults.progressDeadlineSeconds);
}

function fillStrategy(strategy: Draft, defaults: DeploymentDefaults): void {
  fillZero(strategy, 'type', 'RollingUpdate');
  if (strategy['rollingUpdate'] === null) delete strategy['rollingUpdate'];
  if (strategy['type'] !== 'RollingUpdate') return;
  const rollingUpdate = childDraft(strategy, 'rollingUpdate');
  fillAbsent(rollingUpdate, 'maxUnavailable', defaults.maxUnavailable);
  fillAbsent(rollingUpdate, 'maxSurge', defaults.maxSurge);
}

/** The number that means "no limit" in extensions/v1beta1. */
const NO_LIMIT = 2_147_483_647;

const APPS_V1BETA1_DEFAULTS: DeploymentDefaults = { ...APPS_V1_DEFAULTS, revisionHistoryLimit: 2 };
const EXTENSIONS_DEFAULTS: DeploymentDefaults = {
  maxSurge: 1,
  maxUnavailable: 1,
  revisionHistoryLimit: NO_LIMIT,
  progressDeadlineSeconds: NO_LIMIT,
};

/**
 * All versions in which Kubernetes ever served Deployments; apps/v1 is stored. In versions before apps/v1beta2 the selector and the labels default to the
 * template's labels, a rollback is a field of the spec, and a deletion orphans the ReplicaSets.
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
