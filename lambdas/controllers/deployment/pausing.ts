import { findCondition, withCondition } from '../../objects/deploymentConditions.ts';
import type { Deployment } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';
import { PROGRESSING, progressDeadlineMs, progressing, TIMED_OUT } from './progress.ts';
import type { Conditions } from './status.ts';

export const PAUSED = 'DeploymentPaused';
export const RESUMED = 'DeploymentResumed';

/**
 * `checkPausedConditions`: says that the Deployment is paused, or was resumed, so that a rollout which stood still on purpose is not reported as one
 * that makes no progress. A timeout that has been reported is not overwritten. Nothing is said without a progress deadline. Pure.
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
