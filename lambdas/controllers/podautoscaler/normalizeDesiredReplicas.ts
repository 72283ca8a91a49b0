import type { HPAScalingRules } from 'kubernetes-types/autoscaling/v2.js';
import type { HorizontalPodAutoscaler } from '../../objects/kinds.ts';
import type { NewCondition } from './autoscalerConditions.ts';
import { type AutoscalerMemory, recommendationsWithin } from './AutoscalerMemory.ts';
import {
  calculateScaleDownLimitWithBehaviors,
  calculateScaleUpLimit,
  calculateScaleUpLimitWithScalingRules,
} from './scalingRates.ts';

/** What the metrics ask for, and what it depends on whether that may be done now. */
export interface NormalizationFacts {
  readonly autoscaler: HorizontalPodAutoscaler;
  readonly currentReplicas: number;
  /** What the metrics ask for. */
  readonly desiredReplicas: number;
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly memory: AutoscalerMemory;
  readonly nowMs: number;
}

export interface Normalized {
  readonly replicas: number;
  /** What is left of the wish after the stabilization. */
  readonly stabilized: number;
  /** AbleToScale and ScalingLimited. */
  readonly conditions: readonly NewCondition[];
}

/** kube-controller-manager's `--horizontal-pod-autoscaler-downscale-stabilization`. */
const DOWNSCALE_STABILIZATION_SECONDS = 300;

/** Kubernetes' `normalizeDesiredReplicas` and `normalizeDesiredReplicasWithBehaviors`: first recent recommendations hold the wish back, then the rates and the bounds do. Pure. */
export function normalizeDesiredReplicas(facts: NormalizationFacts): Normalized {
  const { scaleUp, scaleDown } = facts.autoscaler.spec?.behavior ?? {};
  const stabilized = stabilizeRecommendation(facts, scaleUp, scaleDown);
  const limited =
    scaleUp && scaleDown ? limitByBehavior(facts, stabilized, scaleUp, scaleDown) : limit(facts, stabilized);
  const isLimited = limited.replicas !== stabilized;
  const { reason, message } = limited;
  return {
    replicas: limited.replicas,
    stabilized,
    conditions: [
      ableToScale(facts, stabilized),
      { type: 'ScalingLimited', status: isLimited ? 'True' : 'False', reason, message },
    ],
  };
}

/**
 * Kubernetes' `stabilizeRecommendationWithBehaviors`: replicas are added only as far as the lowest recent recommendation goes, and removed only as far as the highest does. Worked example: 8 replicas, and within the window for removals
 * 2, 6 and 3 were recommended. Then 2 of the replicas go, since 6 is the highest.
 */
function stabilizeRecommendation(
  { memory, currentReplicas, desiredReplicas, nowMs }: NormalizationFacts,
  scaleUp: HPAScalingRules | undefined,
  scaleDown: HPAScalingRules | undefined,
): number {
  const within = (seconds: number) => recommendationsWithin(memory, seconds * 1_000, nowMs);
  const lowest = Math.min(desiredReplicas, ...within(scaleUp?.stabilizationWindowSeconds ?? 0));
  const downSeconds = scaleDown?.stabilizationWindowSeconds ?? DOWNSCALE_STABILIZATION_SECONDS;
  const highest = Math.max(desiredReplicas, ...within(downSeconds));
  // Without a behavior the highest one counts even if it is above the present replicas.
  if (!scaleUp || !scaleDown) return highest;
  return Math.min(Math.max(currentReplicas, lowest), highest);
}

function ableToScale(
  { autoscaler, desiredReplicas, currentReplicas }: NormalizationFacts,
  stabilized: number,
): NewCondition {
  const condition = (reason: string, message: string) =>
    ({ type: 'AbleToScale', status: 'True', reason, message }) as const;
  if (stabilized === desiredReplicas) return condition('ReadyForNewScale', 'recommended size matches current size');
  if (autoscaler.spec?.behavior && desiredReplicas >= currentReplicas)
    return condition(
      'ScaleUpStabilized',
      'recent recommendations were lower than current one, applying the lowest recent recommendation',
    );
  return condition(
    'ScaleDownStabilized',
    'recent recommendations were higher than current one, applying the highest recent recommendation',
  );
}

interface Limited {
  readonly replicas: number;
  readonly reason: string;
  readonly message: string;
}

const TOO_FAST = 'the desired replica count is increasing faster than the maximum scale rate';
const TOO_FAST_DOWN = 'the desired replica count is decreasing faster than the maximum scale rate';
const TOO_MANY = 'the desired replica count is more than the maximum replica count';
const TOO_FEW = 'the desired replica count is less than the minimum replica count';

function withinRange(replicas: number): Limited {
  const message = 'the desired count is within the acceptable range';
  return { replicas, reason: 'DesiredWithinRange', message };
}

/** Kubernetes' `convertDesiredReplicasWithRules`: for an autoscaler without a behavior. */
function limit(facts: NormalizationFacts, desired: number): Limited {
  const { minReplicas, maxReplicas, currentReplicas } = facts;
  const rateLimit = Math.max(calculateScaleUpLimit(facts), currentReplicas);
  if (desired < minReplicas) return { replicas: minReplicas, reason: 'TooFewReplicas', message: TOO_FEW };
  if (desired <= Math.min(rateLimit, maxReplicas)) return withinRange(desired);
  return maxReplicas > rateLimit
    ? { replicas: rateLimit, reason: 'ScaleUpLimit', message: TOO_FAST }
    : { replicas: maxReplicas, reason: 'TooManyReplicas', message: TOO_MANY };
}

/** Kubernetes' `convertDesiredReplicasWithBehaviorRate`. */
function limitByBehavior(
  facts: NormalizationFacts,
  desired: number,
  scaleUp: HPAScalingRules,
  scaleDown: HPAScalingRules,
): Limited {
  const { minReplicas, maxReplicas, currentReplicas } = facts;
  if (desired > currentReplicas) {
    const rateLimit = Math.max(calculateScaleUpLimitWithScalingRules(facts, scaleUp), currentReplicas);
    if (desired <= Math.min(rateLimit, maxReplicas)) return withinRange(desired);
    return maxReplicas > rateLimit
      ? { replicas: rateLimit, reason: 'ScaleUpLimit', message: TOO_FAST }
      : { replicas: maxReplicas, reason: 'TooManyReplicas', message: TOO_MANY };
  }
  if (desired === currentReplicas) return withinRange(desired);
  const rateLimit = Math.min(calculateScaleDownLimitWithBehaviors(facts, scaleDown), currentReplicas);
  if (desired >= Math.max(rateLimit, minReplicas)) return withinRange(desired);
  return minReplicas < rateLimit
    ? { replicas: rateLimit, reason: 'ScaleDownLimit', message: TOO_FAST_DOWN }
    : { replicas: minReplicas, reason: 'TooFewReplicas', message: TOO_FEW };
}
