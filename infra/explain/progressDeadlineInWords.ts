import {
  PROGRESSING,
  progressDeadlineMs,
  requeueStuckDeployment,
  TIMED_OUT,
} from '../../lambdas/controllers/deployment/syncRolloutStatus.ts';
import { findCondition } from '../../lambdas/objects/deploymentConditions.ts';
import type { Deployment } from '../../lambdas/objects/kinds.ts';
import { durationInWords } from './durationInWords.ts';

/** `progress deadline in 8 m 12 s …`, or the time since which it is exceeded; nothing if no deadline runs. Pure. */
export function progressDeadlineInWords(deployment: Deployment, nowMs: number): readonly string[] {
  const deadlineMs = progressDeadlineMs(deployment);
  const condition = findCondition(deployment.status?.conditions ?? [], PROGRESSING);
  if (deadlineMs === undefined || !condition || deployment.spec?.paused === true) return [];
  const allowed = durationInWords(deadlineMs);
  if (condition.reason === TIMED_OUT) {
    const since = condition.lastTransitionTime ?? condition.lastUpdateTime ?? '';
    return [`progress deadline of ${allowed} exceeded since ${since}; it goes on trying`];
  }
  const leftMs = requeueStuckDeployment(deployment, nowMs);
  if (leftMs === undefined) return [];
  return [
    `progress deadline in ${durationInWords(leftMs)}: ${allowed} after the last progress, at ${condition.lastUpdateTime ?? ''}`,
  ];
}
