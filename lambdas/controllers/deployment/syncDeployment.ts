import type { Deployment } from '../../objects/kinds.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import { conclude } from '../conclude.ts';
import type { SyncContext, SyncReport } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import { reasonInWords } from './deploymentReasons.ts';
import { claimReplicaSets } from './claimReplicaSets.ts';
import { commitPlan } from './commitPlan.ts';
import { decideDeployment } from './decideDeployment.ts';
import { observeDeployment } from './observeDeployment.ts';
import { fenceResizes, recordResizes } from './resizeIntent.ts';
import { summaryOf } from './summary.ts';

export interface SyncDeploymentDeps {
  readonly ids: Ids;
  /** The recorder of `deployment-controller`. */
  readonly events: EventRecorder;
}

/** `syncDeployment`: one key. Claims ReplicaSets, observes, decides, records what it is about to resize, and commits. */
export async function syncDeployment(
  deps: SyncDeploymentDeps,
  key: WorkKey,
  context: SyncContext,
): Promise<SyncReport> {
  const { namespace, name } = key;
  const { registry, objectStore, nowMs, item } = context;
  if (item.intent) await fenceResizes(objectStore, namespace, item.intent);
  const deployment = await registry.get<Deployment>({ resource: 'deployments.apps', namespace, name });
  if (!deployment) {
    await context.recordIntent(undefined);
    return { outcome: { status: 'done' }, why: [reasonInWords({ reason: 'gone' })], writes: [] };
  }
  const { claimed, writes: claims } = await claimReplicaSets(registry, deployment);
  const world = await observeDeployment(registry, deployment, claimed, nowMs);
  const { plan, intent } = recordResizes(decideDeployment(world), deps.ids.uid());
  if (intent) await context.recordIntent(intent);
  const committed = await commitPlan(plan, { registry, events: deps.events, nowMs });
  // Each write was answered, so none is under way. A write without an answer has thrown, and its intent stays for the next holder of the lock.
  await context.recordIntent(undefined);
  return {
    outcome: conclude({ mustReobserve: committed.mustReobserve, delaysMs: [plan.requeueAfterMs] }),
    why: [...plan.why, ...plan.waitsFor, ...committed.why].map(reasonInWords),
    observed: summaryOf(world),
    writes: [...claims, ...committed.writes],
  };
}
