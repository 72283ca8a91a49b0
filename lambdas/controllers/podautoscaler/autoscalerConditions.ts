import type { HorizontalPodAutoscalerCondition } from 'kubernetes-types/autoscaling/v2.js';

/** A condition without its time. */
export interface NewCondition {
  readonly type: 'AbleToScale' | 'ScalingActive' | 'ScalingLimited';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

type Conditions = readonly HorizontalPodAutoscalerCondition[];

/** Kubernetes' `setConditionInList`: the condition keeps its place, and its time as long as its status stays. `now` is RFC 3339. Pure. */
export function withConditions(conditions: Conditions, wanted: readonly NewCondition[], now: string): Conditions {
  return wanted.reduce((all, one) => withCondition(all, one, now), conditions);
}

function withCondition(
  conditions: Conditions,
  { type, status, reason, message }: NewCondition,
  now: string,
): Conditions {
  const before = conditions.find((one) => one.type === type);
  const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? now) : now;
  const condition = { type, status, lastTransitionTime, reason, message };
  return before ? conditions.map((one) => (one === before ? condition : one)) : [...conditions, condition];
}
