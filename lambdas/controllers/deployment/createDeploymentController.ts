import type { Deployment } from '../../objects/kinds.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import { type Controller, MAX_RETRIES, type SyncContext, type SyncOutcome, type SyncReport } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import type { RegistryReader } from '../guardWrites.ts';
import { commitPlan } from './commitPlan.ts';
import { decideDeployment } from './decideDeployment.ts';
import { keysForChange } from './keysForChange.ts';
import { observeDeployment } from './observeDeployment.ts';
import { fenceResizes, recordResizes } from './resizeIntent.ts';
import { summaryOf } from './summary.ts';

export interface DeploymentControllerDeps {
  readonly registry: RegistryReader;
  readonly ids: Ids;
  /** Of the component `deployment-controller`. */
  readonly events: EventRecorder;
  /** Replaces the event handlers, for tests. */
  readonly keysFor?: Controller['keysFor'];
  /** Replaces the sync, for tests. */
  readonly sync?: Controller<SyncContext>['sync'];
}

/** The controller that rolls Deployments out: `pkg/controller/deployment`. */
export function createDeploymentController(deps: DeploymentControllerDeps): Controller<SyncContext> {
  return {
    name: 'deployment',
    resources: ['deployments.apps'],
    watches: ['deployments.apps', 'replicasets.apps', 'pods'],
    maxRetries: MAX_RETRIES,
    keysFor: deps.keysFor ?? ((change) => keysForChange(deps.registry, change)),
    keysToResync: ({ metadata }) => [
      { controller: 'deployment', namespace: metadata.namespace ?? '', name: metadata.name },
    ],
    sync: deps.sync ?? ((key, context) => syncDeployment(deps, key, context)),
  };
}

async function syncDeployment(deps: DeploymentControllerDeps, key: WorkKey, context: SyncContext): Promise<SyncReport> {
  const { namespace, name } = key;
  const { registry, late, nowMs, item } = context;
  if (item.intent) await fenceResizes(late.objectStore, namespace, item.intent);
  const deployment = await registry.get<Deployment>({ resource: 'deployments.apps', namespace, name });
  if (!deployment) {
    await context.recordIntent(undefined);
    return { outcome: { status: 'done' }, why: ['the deployment is gone'], writes: [] };
  }
  const { world, writes } = await observeDeployment(registry, deployment, nowMs);
  const { plan, intent } = recordResizes(decideDeployment(world), deps.ids.uid());
  if (intent) await context.recordIntent(intent);
  const committed = await commitPlan(plan, { registry, late, events: deps.events, nowMs });
  // Each write was answered, so none is on its way. One that was not has thrown, and its intent stays for the next holder.
  await context.recordIntent(undefined);
  return {
    outcome: outcomeOf(committed.status, plan.requeueAfterMs),
    why: [...plan.why, ...plan.waitsFor, ...committed.why],
    observed: summaryOf(world),
    writes: [...writes, ...committed.writes],
  };
}

function outcomeOf(status: 'done' | 'conflict', requeueAfterMs: number | undefined): SyncOutcome {
  if (status === 'conflict' || requeueAfterMs === undefined) return { status };
  return { status: 'requeueAfter', delayMs: requeueAfterMs };
}
