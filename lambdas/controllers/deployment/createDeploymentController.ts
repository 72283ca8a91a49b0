import type { Deployment } from '../../objects/kinds.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { ObjectStore } from '../../ports/ObjectStore.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { Registry } from '../../registry/Registry.ts';
import { type Controller, MAX_RETRIES, type SyncContext, type SyncOutcome, type SyncReport } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import { commitPlan } from './commitPlan.ts';
import { decideDeployment } from './decideDeployment.ts';
import { keysForChange } from './keysForChange.ts';
import { observeDeployment } from './observeDeployment.ts';
import { fenceResizes, recordResizes } from './resizeIntent.ts';
import { summaryOf } from './summary.ts';

export interface DeploymentControllerDeps {
  readonly registry: Registry;
  /** For keeping out what an earlier sync left on its way. */
  readonly objectStore: ObjectStore;
  readonly ids: Ids;
  /** Of the component `deployment-controller`. */
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** Replaces the event handlers, for tests. */
  readonly keysFor?: Controller['keysFor'];
  /** Replaces the sync, for tests. */
  readonly sync?: Controller['sync'];
}

/** The controller that rolls Deployments out: `pkg/controller/deployment`. */
export function createDeploymentController(deps: DeploymentControllerDeps): Controller {
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
  const { nowMs, item } = context;
  if (item.intent) await fenceResizes(deps.objectStore, namespace, item.intent);
  const deployment = await deps.registry.get<Deployment>({ resource: 'deployments.apps', namespace, name });
  if (!deployment) {
    await context.recordIntent(undefined);
    return { outcome: { status: 'done' }, why: ['the deployment is gone'], writes: [] };
  }
  const beforeWrite = () => refuseAfter(context.deadlineMs, deps.clock);
  const { world, writes } = await observeDeployment(deps.registry, deployment, nowMs, beforeWrite);
  const { plan, intent } = recordResizes(decideDeployment(world), deps.ids.uid());
  if (intent) await context.recordIntent(intent);
  const committed = await commitPlan(plan, { registry: deps.registry, events: deps.events, nowMs, beforeWrite });
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

/** A write that began now could still be under way when another worker has the key. */
function refuseAfter(deadlineMs: number, clock: Clock): void {
  if (clock.now() >= deadlineMs) throw new Error('the time of this sync is over: what is left is for the next one');
}
