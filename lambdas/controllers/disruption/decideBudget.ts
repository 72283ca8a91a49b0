import type { PodDisruptionBudgetStatus } from 'kubernetes-types/policy/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import { isPodReady } from '../../objects/pods/podState.ts';
import { DISRUPTION_ALLOWED, withDisruptionAllowed } from '../../objects/pods/disruptionAllowed.ts';
import { setStatusCondition } from '../../objects/setStatusCondition.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { ExpectedPods, PodDisruptionBudget } from './expectedPods.ts';

/** How long an evicted pod may take until its deletion shows: Kubernetes' `DeletionTimeout`. */
const DELETION_TIMEOUT_MS = 2 * 60_000;

export interface BudgetDecision {
  readonly status: PodDisruptionBudgetStatus;
  /** In how many milliseconds an evicted pod that is not being deleted counts again. Absent: no pod is waited for. */
  readonly recheckAfterMs?: number;
  /** The evicted pods that were not deleted in time. They count again. */
  readonly notDeleted: readonly Pod[];
}

/** Computes the status of a budget over the pods that it selects, as Kubernetes' `trySync`. Pure. */
export function decideBudget(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  expected: ExpectedPods,
  nowMs: number,
): BudgetDecision {
  if (expected.error !== undefined) return { status: failSafe(budget, expected.error, nowMs), notDeleted: [] };
  const { disrupted, notDeleted } = buildDisruptedPodMap(budget, pods, nowMs);
  const currentHealthy = pods.filter(
    (pod) => pod.metadata.deletionTimestamp === undefined && !disrupted.has(pod.metadata.name) && isPodReady(pod),
  ).length;
  const spare = expected.expected <= 0 ? 0 : Math.max(0, currentHealthy - expected.desired);
  const times = [...disrupted.values()];
  const status = withDisruptionAllowed(
    {
      ...observed(budget),
      currentHealthy,
      desiredHealthy: expected.desired,
      expectedPods: expected.expected,
      disruptionsAllowed: spare,
      ...(disrupted.size > 0 && { disruptedPods: Object.fromEntries(disrupted) }),
    },
    budget.metadata.generation,
    formatTime(nowMs),
  );
  if (times.length === 0) return { status, notDeleted };
  const firstMs = Math.min(...times.map((time) => Date.parse(time)));
  return { status, notDeleted, recheckAfterMs: Math.max(0, firstMs + DELETION_TIMEOUT_MS - nowMs) };
}

function observed({ metadata, status }: PodDisruptionBudget) {
  return { observedGeneration: metadata.generation ?? 0, ...(status?.conditions && { conditions: status.conditions }) };
}

/** Kubernetes' function of this name: the evicted pods whose deletion does not show yet, with the times of their evictions; and those that should be deleted by now. */
function buildDisruptedPodMap({ status }: PodDisruptionBudget, pods: readonly Pod[], nowMs: number) {
  const evicted = status?.disruptedPods ?? {};
  const disrupted = new Map<string, string>();
  const notDeleted: Pod[] = [];
  for (const pod of pods) {
    const { name, deletionTimestamp } = pod.metadata;
    const time = evicted[name];
    if (time === undefined || deletionTimestamp !== undefined) continue;
    if (Date.parse(time) + DELETION_TIMEOUT_MS <= nowMs) notDeleted.push(pod);
    else disrupted.set(name, time);
  }
  return { disrupted, notDeleted };
}

/** Kubernetes' `failSafe`: nothing may be evicted while nobody knows how many pods there should be. */
function failSafe({ status }: PodDisruptionBudget, message: string, nowMs: number): PodDisruptionBudgetStatus {
  const condition = {
    type: DISRUPTION_ALLOWED,
    status: 'False',
    reason: 'SyncFailed',
    message,
    observedGeneration: status?.observedGeneration ?? 0,
  } as const;
  return {
    currentHealthy: status?.currentHealthy ?? 0,
    desiredHealthy: status?.desiredHealthy ?? 0,
    expectedPods: status?.expectedPods ?? 0,
    ...(status?.observedGeneration !== undefined && { observedGeneration: status.observedGeneration }),
    ...(status?.disruptedPods && { disruptedPods: status.disruptedPods }),
    disruptionsAllowed: 0,
    conditions: setStatusCondition(status?.conditions, condition, formatTime(nowMs)),
  };
}
