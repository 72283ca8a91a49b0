import type { PodDisruptionBudget as ApiBudget } from 'kubernetes-types/policy/v1.js';
import { ApiError } from '../../objects/ApiError.ts';
import { forbidden } from '../../objects/apiErrors.ts';
import { DISRUPTION_ALLOWED, withDisruptionAllowed } from '../../objects/disruptionAllowed.ts';
import type { Stored } from '../../objects/KubernetesObject.ts';
import { matchesLabelSelector } from '../../objects/labelSelector.ts';
import type { Pod } from '../../objects/kinds.ts';
import { isPodReady, isPodTerminal } from '../../objects/podState.ts';

export type PodDisruptionBudget = Stored<ApiBudget>;

export type EvictionDecision =
  /** The pod may be deleted. `resourceVersion`: only as it was read, because it may have become healthy since. */
  | { readonly decision: 'delete'; readonly resourceVersion?: string }
  /** The pod may be deleted once this budget is stored, which counts it. */
  | { readonly decision: 'charge'; readonly budget: PodDisruptionBudget }
  | { readonly decision: 'refuse'; readonly error: ApiError };

const BUDGETS = 'poddisruptionbudgets.policy';
const REFUSED = "Cannot evict pod as it would violate the pod's disruption budget.";
/** The largest number of evicted pods that a budget remembers. */
const MAX_DISRUPTED_PODS = 2000;
const RETRY_SECONDS = 10;

/** True if no budget protects the pod: it does not run yet, or its end has come. */
export function needsNoBudget(pod: Pod): boolean {
  return isPodTerminal(pod) || pod.status?.phase === 'Pending' || pod.metadata.deletionTimestamp !== undefined;
}

/** Returns the budgets that select the pod. */
export function budgetsOf(pod: Pod, budgets: readonly PodDisruptionBudget[]): PodDisruptionBudget[] {
  return budgets.filter(({ spec }) => matchesLabelSelector(spec?.selector, pod.metadata.labels));
}

/** Decides an eviction under the budgets that select the pod, as Kubernetes' EvictionREST. `now` is RFC 3339. Pure. */
export function decideEviction(pod: Pod, budgets: readonly PodDisruptionBudget[], now: string): EvictionDecision {
  const [budget, second] = budgets;
  if (second) {
    const message = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    return { decision: 'refuse', error: new ApiError('InternalError', message) };
  }
  if (!budget || needsNoBudget(pod)) return { decision: 'delete' };
  if (!isPodReady(pod) && mayEvictUnhealthy(budget))
    return { decision: 'delete', resourceVersion: pod.metadata.resourceVersion };
  const error = refusalOf(budget);
  return error ? { decision: 'refuse', error } : { decision: 'charge', budget: charged(budget, pod, now) };
}

/** An unhealthy pod serves nobody: whether it may go is not a question of how many healthy ones are left, unless too few are. */
function mayEvictUnhealthy({ spec, status }: PodDisruptionBudget): boolean {
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

/** Kubernetes' `checkAndDecrement` up to the decrement. */
function refusalOf({ metadata, status }: PodDisruptionBudget): ApiError | undefined {
  const { name, generation = 0 } = metadata;
  if ((status?.observedGeneration ?? 0) < generation)
    return tooManyRequests(`The disruption budget ${name} is still being processed by the server.`, RETRY_SECONDS);
  const { disruptionsAllowed = 0, desiredHealthy = 0, currentHealthy = 0, disruptedPods = {} } = status ?? {};
  if (disruptionsAllowed < 0) return forbidden(BUDGETS, name, 'pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods).length > MAX_DISRUPTED_PODS)
    return forbidden(BUDGETS, name, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  if (disruptionsAllowed > 0) return undefined;
  const failure = status?.conditions?.find(
    ({ type, reason }) => type === DISRUPTION_ALLOWED && reason === 'SyncFailed',
  );
  if (failure)
    return tooManyRequests(
      `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${failure.message}`,
    );
  return tooManyRequests(
    `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
  );
}

function tooManyRequests(message: string, retryAfterSeconds?: number): ApiError {
  return new ApiError('TooManyRequests', REFUSED, {
    causes: [{ reason: 'DisruptionBudget', message, field: '' }],
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

/** The budget after the eviction. It remembers the pod until its deletion shows. */
function charged(budget: PodDisruptionBudget, pod: Pod, now: string): PodDisruptionBudget {
  const status = { ...emptyStatus, ...budget.status };
  const disruptionsAllowed = status.disruptionsAllowed - 1;
  const disruptedPods = { ...status.disruptedPods, [pod.metadata.name]: now };
  const next = { ...status, disruptionsAllowed, disruptedPods };
  if (disruptionsAllowed > 0) return { ...budget, status: next };
  return { ...budget, status: withDisruptionAllowed(next, budget.metadata.generation, now) };
}

const emptyStatus = { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0, disruptionsAllowed: 0 };
