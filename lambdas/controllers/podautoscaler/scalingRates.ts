import type { HPAScalingPolicy, HPAScalingRules } from 'kubernetes-types/autoscaling/v2.js';
import { type AutoscalerMemory, periodStartReplicas } from './AutoscalerMemory.ts';

export interface RateFacts {
  readonly currentReplicas: number;
  readonly memory: AutoscalerMemory;
  readonly nowMs: number;
}

/** An autoscaler without a behavior may double its replicas, or have four. */
const LIMIT_FACTOR = 2;
const LIMIT_MINIMUM = 4;
/** Within this time it does so once: as often as kube-controller-manager looks at it. */
const LIMIT_PERIOD_MS = 15_000;

/** Kubernetes' `calculateScaleUpLimit`, for an autoscaler without a behavior. It counts from the replicas of 15 seconds ago, so that more syncs in this time add no more pods. Pure. */
export function calculateScaleUpLimit({ currentReplicas, memory, nowMs }: RateFacts): number {
  const period = { periodMs: LIMIT_PERIOD_MS, direction: 'up', nowMs } as const;
  const start = periodStartReplicas(memory, currentReplicas, period);
  return Math.max(LIMIT_FACTOR * start, LIMIT_MINIMUM);
}

/** Returns the most replicas that the rules allow now: `calculateScaleUpLimitWithScalingRules`. Pure. */
export function calculateScaleUpLimitWithScalingRules(facts: RateFacts, rules: HPAScalingRules): number {
  if (rules.selectPolicy === 'Disabled') return facts.currentReplicas;
  const limits = (rules.policies ?? []).map((policy) => {
    const start = startOf(facts, policy, 'up');
    // Rounded up, or a few percent of a few replicas would never add one.
    return policy.type === 'Percent' ? Math.ceil(start * (1 + policy.value / 100)) : start + policy.value;
  });
  return rules.selectPolicy === 'Min' ? Math.min(...limits) : Math.max(...limits);
}

/** Returns the fewest replicas that the rules allow now: `calculateScaleDownLimitWithBehaviors`. Pure. */
export function calculateScaleDownLimitWithBehaviors(facts: RateFacts, rules: HPAScalingRules): number {
  if (rules.selectPolicy === 'Disabled') return facts.currentReplicas;
  const limits = (rules.policies ?? []).map((policy) => {
    const start = startOf(facts, policy, 'down');
    return policy.type === 'Percent' ? Math.trunc(start * (1 - policy.value / 100)) : start - policy.value;
  });
  // The policy that changes the fewest leaves the most.
  return rules.selectPolicy === 'Min' ? Math.max(...limits) : Math.min(...limits);
}

function startOf(
  { memory, currentReplicas, nowMs }: RateFacts,
  { periodSeconds }: HPAScalingPolicy,
  direction: 'up' | 'down',
): number {
  return periodStartReplicas(memory, currentReplicas, { periodMs: periodSeconds * 1_000, direction, nowMs });
}
