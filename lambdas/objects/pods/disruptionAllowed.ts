import type { PodDisruptionBudgetStatus } from 'kubernetes-types/policy/v1.js';
import { setStatusCondition } from '../setStatusCondition.ts';

export const DISRUPTION_ALLOWED = 'DisruptionAllowed';

/** Returns the status with the condition that says whether it allows disruptions, as Kubernetes' `UpdateDisruptionAllowedCondition`. `now` is RFC 3339. Pure. */
export function withDisruptionAllowed(
  status: PodDisruptionBudgetStatus,
  observedGeneration: number | undefined,
  now: string,
): PodDisruptionBudgetStatus {
  const isAllowed = status.disruptionsAllowed > 0;
  const condition = {
    type: DISRUPTION_ALLOWED,
    status: isAllowed ? 'True' : 'False',
    reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    observedGeneration: observedGeneration ?? 0,
  };
  return { ...status, conditions: setStatusCondition(status.conditions, condition, now) };
}
