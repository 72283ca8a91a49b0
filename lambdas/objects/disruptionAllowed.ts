import type { Condition } from 'kubernetes-types/meta/v1.js';
import type { PodDisruptionBudgetStatus } from 'kubernetes-types/policy/v1.js';

export const DISRUPTION_ALLOWED = 'DisruptionAllowed';

/** Returns the status with the condition that says whether it allows disruptions, as Kubernetes' `UpdateDisruptionAllowedCondition`. `now` is RFC 3339. Pure. */
export function withDisruptionAllowed(
  status: PodDisruptionBudgetStatus,
  observedGeneration: number | undefined,
  now: string,
): PodDisruptionBudgetStatus {
  const isAllowed = status.disruptionsAllowed > 0;
  const { conditions = [] } = status;
  const before = conditions.find(({ type }) => type === DISRUPTION_ALLOWED);
  const value = isAllowed ? 'True' : 'False';
  const condition: Condition = {
    type: DISRUPTION_ALLOWED,
    status: value,
    reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    observedGeneration: observedGeneration ?? 0,
    lastTransitionTime: before?.status === value ? before.lastTransitionTime : now,
  };
  return { ...status, conditions: [...conditions.filter(({ type }) => type !== DISRUPTION_ALLOWED), condition] };
}
