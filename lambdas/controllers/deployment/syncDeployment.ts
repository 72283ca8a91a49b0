import type { Deployment } from '../../objects/kinds.ts';
import { isEmptySelector } from '../../objects/selectors/labelSelector.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { SyncContext, SyncOutcome, SyncReport } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import { reasonInWords } from '../reasonInWords.ts';
import { autoRollback, findHeldRollout, type HeldRollout, heldOutcome } from './autorollback/decideAutoRollback.ts';
import { checkPausedConditions, scaleWhilePaused } from './checkPausedConditions.ts';
import { claimReplicaSets } from './claimReplicaSets.ts';
import { commitPlan } from './commitPlan.ts';
import { draftPlan } from './draftPlan.ts';
import { foundConditions, foundNewReplicaSet, getAllReplicaSetsAndSyncRevision } from './getNewReplicaSet.ts';
import { observeDeployment } from './observeDeployment.ts';
import { type Outcome, type Plan, type RolloutOutcome, statusOnly } from './Plan.ts';
import { fenceResizes, recordResizes } from './resizeIntent.ts';
import { rollback } from './rollback.ts';
import { rolloutRecreate } from './rolloutRecreate.ts';
import { rolloutRolling } from './rolloutRolling.ts';
import { findRollout, type Rollout, type World } from './Rollout.ts';
import { scaleOnEvent } from './scale.ts';
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
    outcome: outcomeOf(committed.status, plan.requeueAfterMs),
    why: [...plan.why, ...plan.waitsFor, ...committed.why].map(reasonInWords),
    observed: summaryOf(world),
    writes: [...claims, ...committed.writes],
  };
}

/**
 * The steps of a sync in Kubernetes' order. The first step that returns an outcome ends the sync, and `draftPlan` makes the plan from it. One step a sync is enough, since each
 * write brings the key back. Pure. Throws for a strategy of unknown type.
 */
export function decideDeployment(world: World): Plan {
  const found = findRollout(world.deployment, world.replicaSets);
  // A held template is not rolled out, so its ReplicaSet gets no new revision.
  const held = findHeldRollout(world, found);
  const rollout = held ? found : getAllReplicaSetsAndSyncRevision(world);
  const outcome =
    refuseEmptySelector(world) ??
    syncStatusOnly(world, rollout) ??
    checkPausedConditions(world, rollout) ??
    scaleWhilePaused(world, rollout, held) ??
    foundNewReplicaSet(world, rollout) ??
    rollback(world, rollout) ??
    autoRollback(world, rollout) ??
    holdGivenUpTemplate(world, held) ??
    scaleOnEvent(world, rollout) ??
    rollOut(world, rollout);
  return draftPlan(world, outcome);
}

/** An empty selector would select every ReplicaSet and pod of the namespace. */
function refuseEmptySelector({ deployment }: World): Outcome | undefined {
  if (!isEmptySelector(deployment.spec?.selector)) return undefined;
  const message = 'This deployment is selecting all pods. A non-empty selector is required.';
  return {
    write: 'observedGeneration',
    event: { type: 'Warning', reason: 'SelectingAll', message },
    why: [{ reason: 'emptySelector' }],
    waitsFor: [{ wait: 'otherSelector' }],
  };
}

/** `syncStatusOnly`: for a Deployment that is being deleted. */
function syncStatusOnly({ deployment, nowMs }: World, rollout: Rollout): Outcome | undefined {
  if (deployment.metadata.deletionTimestamp === undefined) return undefined;
  return statusOnly(rollout, foundConditions(rollout, nowMs), { reason: 'beingDeleted' });
}

/** A template that was given up on is not rolled out. What runs in its place is scaled and rolled to by the same two steps. */
function holdGivenUpTemplate(world: World, held: HeldRollout | undefined): Outcome | undefined {
  return held && heldOutcome(held, scaleOnEvent(world, held.rollout) ?? rollOut(world, held.rollout));
}

/** Rolls out the template by the Deployment's strategy. */
function rollOut(world: World, rollout: Rollout): RolloutOutcome {
  const type = world.deployment.spec?.strategy?.type;
  if (type === 'Recreate') return rolloutRecreate(world, rollout);
  if (type === 'RollingUpdate') return rolloutRolling(world, rollout);
  throw new Error(`unexpected deployment strategy type: ${type ?? ''}`);
}

function outcomeOf(status: 'done' | 'conflict', requeueAfterMs: number | undefined): SyncOutcome {
  if (status === 'conflict' || requeueAfterMs === undefined) return { status };
  return { status: 'requeueAfter', delayMs: requeueAfterMs };
}
