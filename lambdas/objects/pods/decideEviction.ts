import type {
  PodDisruptionBudget as ApiBudget,
  PodDisruptionBudgetStatus as BudgetStatus,
} from 'kubernetes-types/policy/v1.js';
import { ApiError } from '../ApiError.ts';
import { forbidden } from '../apiErrors.ts';
import { DISRUPTION_ALLOWED, withDisruptionAllowed } from './disruptionAllowed.ts';
import type { Stored } from '../KubernetesObject.ts';
import { matchesLabelSelector } from '../selectors/labelSelector.ts';
import type { Pod } from '../kinds.ts';
import { isPodReady, isPodTerminal } from './podState.ts';

export type PodDisruptionBudget = Stored<ApiBudget>;

export type EvictionDecision =
  /** The pod may be deleted. `resourceVersion`: only as it was read, because it may have become healthy since. */
  | { readonly decision: 'delete'; readonly resourceVersion?: string }
  /** The pod may be deleted once this budget is stored, which counts it. */
  | { readonly decision: 'charge'; readonly budget: PodDisruptionBudget }
  | { readonly decision: 'refuse'; readonly error: ApiError };

/** As Kubernetes names it in these refusals. */
const BUDGET = 'poddisruptionbudget.policy';
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
  if (needsNoBudget(pod)) return unguarded(pod);
  const [budget, second] = budgets;
  if (second) {
    const message = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    return { decision: 'refuse', error: new ApiError('Unknown', message) };
  }
  if (!budget) return { decision: 'delete' };
  if (!isPodReady(pod) && mayEvictUnhealthy(budget))
    return { decision: 'delete', resourceVersion: pod.metadata.resourceVersion };
  const error = refusalOf(budget);
  return error ? { decision: 'refuse', error } : { decision: 'charge', budget: charged(budget, pod, now) };
}

/** A pod that does not run yet may have become healthy by the time of its deletion. One whose end has come has not. */
function unguarded({ metadata, status }: Pod): EvictionDecision {
  const mayBecomeHealthy = status?.phase === 'Pending' && metadata.deletionTimestamp === undefined;
  return { decision: 'delete', ...(mayBecomeHealthy && { resourceVersion: metadata.resourceVersion }) };
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
  if ((status?.observedGeneration ?? 0) < generation) return stillProcessed(name);
  const { disruptionsAllowed = 0, disruptedPods = {} } = status ?? {};
  if (disruptionsAllowed < 0) return forbidden(BUDGET, name, 'pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods).length > MAX_DISRUPTED_PODS)
    return forbidden(BUDGET, name, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  return disruptionsAllowed > 0 ? undefined : tooManyRequests(`The disruption budget ${name} ${whyNone(status)}`);
}

/** Why a budget allows no disruption. The numbers of one that could not be computed say nothing. */
function whyNone({ conditions = [], desiredHealthy, currentHealthy } = emptyStatus as BudgetStatus): string {
  const condition = conditions.find(({ type }) => type === DISRUPTION_ALLOWED);
  const failure = condition?.status === 'False' && condition.message !== '' ? condition : undefined;
  const notNow = 'does not allow evicting pods currently';
  if (failure?.reason === 'SyncFailed') return `${notNow} because it failed sync: ${failure.message}`;
  if (currentHealthy <= desiredHealthy)
    return `needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  return failure ? `${notNow} (${failure.reason}): ${failure.message}` : notNow;
}

/** The refusal of an eviction that may be allowed in a moment: the budget changes, or is to be computed. */
export function stillProcessed(name: string): ApiError {
  return tooManyRequests(`The disruption budget ${name} is still being processed by the server.`, RETRY_SECONDS);
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
