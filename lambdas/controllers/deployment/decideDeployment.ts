import type { ConditionText } from '../../objects/deployments/deploymentConditions.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import { PAUSED, PROGRESSING, RESUMED, TIMED_OUT } from './assessProgress.ts';
import { assessRollout } from './assessRollout.ts';
import { autoRollback } from './autorollback/autoRollback.ts';
import { draftPlan } from './draftPlan.ts';
import { getAllReplicaSetsAndSyncRevision } from './getNewReplicaSet.ts';
import type { Plan } from './Plan.ts';
import { rollback } from './rollback.ts';
import { rollOutTemplate } from './rollOutTemplate.ts';
import { type Rollout, rolledOut, type World } from './Rollout.ts';
import { scaleOnEvent, scaleWhilePaused } from './scale.ts';
import { type Step, statusOnly } from './Step.ts';

/**
 * The steps of a sync in Kubernetes' order. The first step that wants something ends the sync, and `draftPlan` makes the plan from it. One step a sync is enough, since each
 * write brings the key back. Pure. Throws for a strategy of unknown type.
 */
export function decideDeployment(world: World): Plan {
  const found = assessRollout(world);
  const rollout = getAllReplicaSetsAndSyncRevision(found);
  const step =
    refuseEmptySelector(rollout) ??
    syncStatusOnly(rollout) ??
    checkPausedConditions(rollout) ??
    scaleWhilePaused(rollout) ??
    foundNewReplicaSet(rollout) ??
    rollback(rollout) ??
    autoRollback(rollout) ??
    holdGivenUpTemplate(rollout) ??
    scaleOnEvent(rollout) ??
    rollOutTemplate(rollout);
  return draftPlan(rollout, step);
}

/** An empty selector would select every ReplicaSet and pod of the namespace. */
function refuseEmptySelector({ selectsAll }: Rollout): Step | undefined {
  if (!selectsAll) return undefined;
  const message = 'This deployment is selecting all pods. A non-empty selector is required.';
  return {
    write: 'observedGeneration',
    event: { type: 'Warning', reason: 'SelectingAll', message },
    why: [{ reason: 'emptySelector' }],
    waitsFor: [{ wait: 'otherSelector' }],
  };
}

/** `syncStatusOnly`: for a Deployment that is being deleted. */
function syncStatusOnly(rollout: Rollout): Step | undefined {
  if (rollout.deployment.metadata.deletionTimestamp === undefined) return undefined;
  return statusOnly({ reason: 'beingDeleted' }, foundCondition(rollout));
}

/** A Deployment that was paused or resumed gets the condition that says so, before anything else. It is `scaleWhilePaused` that stops the rollout. */
function checkPausedConditions(rollout: Rollout): Step | undefined {
  const condition = pausedCondition(rollout);
  return condition && statusOnly({ reason: 'pausedOrResumed' }, condition);
}

/**
 * The Progressing condition if it has yet to say that the Deployment is paused, or was resumed, so that a pause does not count as time without progress. A
 * timeout that has been reported is not overwritten. Without a progress deadline there is no such condition. Pure.
 */
export function pausedCondition({ deployment, progress }: Rollout): ConditionText | undefined {
  const reason = progress.condition?.reason;
  if (progress.deadlineMs === undefined || reason === TIMED_OUT) return undefined;
  const paused = deployment.spec?.paused === true;
  if (paused === (reason === PAUSED)) return undefined;
  return paused
    ? { type: PROGRESSING, status: 'Unknown', reason: PAUSED, message: 'Deployment is paused' }
    : { type: PROGRESSING, status: 'Unknown', reason: RESUMED, message: 'Deployment is resumed' };
}

/**
 * The ReplicaSet exists, but the Deployment has no Progressing condition, because the ReplicaSet was adopted or the deadline was added later. That condition starts the
 * clock of the deadline, so it is written first.
 */
function foundNewReplicaSet(rollout: Rollout): Step | undefined {
  const condition = foundCondition(rollout);
  return condition && statusOnly({ reason: 'foundNewReplicaSet' }, condition);
}

/** The Progressing condition that starts the clock of a rollout to an existing ReplicaSet; `undefined` if the clock runs, or is not needed. */
export function foundCondition({ newReplicaSet, progress }: Rollout): ConditionText | undefined {
  if (progress.deadlineMs === undefined || progress.condition || !newReplicaSet) return undefined;
  const message = `Found new replica set ${goQuote(newReplicaSet.name)}`;
  return { type: PROGRESSING, status: 'True', reason: 'FoundNewReplicaSet', message };
}

/**
 * A template that was given up on is not rolled out. It stays in the spec, but what the Deployment went back to keeps running and is rolled to and scaled as if it were the new
 * one. The status is about the user's template, and its Progressing condition makes `kubectl rollout status` end at once. No history is cleaned up.
 */
function holdGivenUpTemplate(rollout: Rollout): Step | undefined {
  if (rollout.autoRollback.action !== 'hold') return undefined;
  const wentBack = rolledOut(rollout);
  const step = scaleOnEvent(wentBack) ?? rollOutTemplate(wentBack);
  return {
    ...step,
    cleanUp: false,
    status: 'held',
    why: [{ reason: 'templateGivenUp' }, ...step.why],
    waitsFor: [...step.waitsFor, { wait: 'otherTemplate' }],
  };
}
