import { findCondition, withCondition } from '../../objects/deployments/deploymentConditions.ts';
import type { Deployment } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { HeldRollout } from './autorollback/decideAutoRollback.ts';
import type { Conditions } from './calculateStatus.ts';
import { cleanupDeployment } from './cleanupDeployment.ts';
import { conditionsChanged, type Outcome, type RolloutOutcome, statusOnly } from './Plan.ts';
import { getRollbackTo } from './rollback.ts';
import type { Rollout, World } from './Rollout.ts';
import { scaledOutcome } from './scale.ts';
import { PAUSED, PROGRESSING, progressDeadlineMs, progressing, RESUMED, TIMED_OUT } from './syncRolloutStatus.ts';

/** Step: `checkPausedConditions`. A Deployment that was paused or resumed gets the condition that says so, before anything else. It is `scaleWhilePaused` that stops the rollout. */
export function checkPausedConditions({ deployment, nowMs }: World, rollout: Rollout): Outcome | undefined {
  const conditions = pausedConditions(deployment, nowMs);
  if (!conditionsChanged(deployment, conditions)) return undefined;
  return statusOnly(rollout, conditions, { reason: 'pausedOrResumed' });
}

/**
 * The conditions, with a Progressing condition that says whether the Deployment is paused or was resumed, so that a pause does not count as time without progress. A
 * timeout that has been reported is not overwritten. Without a progress deadline there is no such condition. Pure.
 */
export function pausedConditions(deployment: Deployment, nowMs: number): Conditions {
  const conditions = deployment.status?.conditions ?? [];
  const reason = findCondition(conditions, PROGRESSING)?.reason;
  if (progressDeadlineMs(deployment) === undefined || reason === TIMED_OUT) return conditions;
  const paused = deployment.spec?.paused === true;
  const now = formatTime(nowMs);
  if (paused && reason !== PAUSED) {
    return withCondition(conditions, progressing('Unknown', PAUSED, 'Deployment is paused'), now);
  }
  if (!paused && reason === PAUSED) {
    return withCondition(conditions, progressing('Unknown', RESUMED, 'Deployment is resumed'), now);
  }
  return conditions;
}

/** Step: a paused Deployment is still scaled, and its history is cleaned up unless a requested rollback may need it or a template is held. It is not rolled out. */
export function scaleWhilePaused(
  world: World,
  rollout: Rollout,
  held: HeldRollout | undefined,
): RolloutOutcome | undefined {
  if (world.deployment.spec?.paused !== true) return undefined;
  const outcome = scaledOutcome(world, rollout);
  const keepsHistory = held !== undefined || getRollbackTo(world.deployment) !== undefined;
  return {
    ...outcome,
    remove: keepsHistory ? [] : cleanupDeployment(rollout),
    why: [{ reason: 'paused' }, ...outcome.why],
    waitsFor: [...outcome.waitsFor, { wait: 'resume' }],
  };
}
