import type { HPAScalingRules } from 'kubernetes-types/autoscaling/v2.js';
import type { HorizontalPodAutoscaler } from '../../objects/kinds.ts';
import { parseQuantity } from '../../objects/quantities/quantity.ts';

/** How far the measured value may be from the wanted one before the number of pods changes; 0.1 is a tenth. */
export interface Tolerances {
  readonly scaleDown: number;
  readonly scaleUp: number;
}

/** kube-controller-manager's `--horizontal-pod-autoscaler-tolerance`. */
const DEFAULT_TOLERANCE = 0.1;
const NANO = 1e9;

/** Returns the tolerances of the autoscaler's behavior, or the default ones. Pure. */
export function tolerancesForHpa({ spec }: HorizontalPodAutoscaler): Tolerances {
  const { scaleDown, scaleUp } = spec?.behavior ?? {};
  return { scaleDown: toleranceOf(scaleDown), scaleUp: toleranceOf(scaleUp) };
}

/** kubernetes-types does not know the field yet. */
function toleranceOf(rules: (HPAScalingRules & { readonly tolerance?: string }) | undefined): number {
  const quantity = parseQuantity(rules?.tolerance);
  return quantity ? Number(quantity.nanos) / NANO : DEFAULT_TOLERANCE;
}

/** Whether a ratio of the measured to the wanted value is near enough to 1 to change nothing. Pure. */
export function isWithin({ scaleDown, scaleUp }: Tolerances, ratio: number): boolean {
  return 1 - scaleDown <= ratio && ratio <= 1 + scaleUp;
}
