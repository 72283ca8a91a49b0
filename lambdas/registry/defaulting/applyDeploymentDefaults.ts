import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { applyPodTemplateDefaults } from './applyPodSpecDefaults.ts';
import { childDraft, type Draft, dropZero, fillAbsent, fillZero } from './drafts.ts';

/** What a version of the API fills into a Deployment that does not say it. */
export interface DeploymentDefaults {
  readonly maxSurge: number | string;
  readonly maxUnavailable: number | string;
  readonly revisionHistoryLimit: number;
  readonly progressDeadlineSeconds: number;
}

export const APPS_V1_DEPLOYMENT_DEFAULTS: DeploymentDefaults = {
  maxSurge: '25%',
  maxUnavailable: '25%',
  revisionHistoryLimit: 10,
  progressDeadlineSeconds: 600,
};

/** Defaults of apps/v1 (and apps/v1beta2) Deployments. */
export function applyDeploymentDefaults(draft: KubernetesObject): void {
  fillDeployment(draft, APPS_V1_DEPLOYMENT_DEFAULTS);
}

/** Fills a Deployment with a version's own defaults. */
export function fillDeployment(draft: KubernetesObject, defaults: DeploymentDefaults): void {
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
