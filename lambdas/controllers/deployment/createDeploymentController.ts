import { type Controller, MAX_RETRIES, type SyncContext } from '../Controller.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { keysForChange } from './keysForChange.ts';
import { syncDeployment, type SyncDeploymentDeps } from './syncDeployment.ts';

export interface DeploymentControllerDeps extends SyncDeploymentDeps {
  readonly registry: RegistryReader;
}

/** The controller that rolls out Deployments: Kubernetes' pkg/controller/deployment. */
export function createDeploymentController(deps: DeploymentControllerDeps): Controller<SyncContext> {
  return {
    name: 'deployment',
    resources: ['deployments.apps'],
    watches: ['deployments.apps', 'replicasets.apps', 'pods'],
    maxRetries: MAX_RETRIES,
    keysFor: (change) => keysForChange(deps.registry, change),
    keysToResync: ({ metadata }) => [
      { controller: 'deployment', namespace: metadata.namespace ?? '', name: metadata.name },
    ],
    sync: (key, context) => syncDeployment(deps, key, context),
  };
}
