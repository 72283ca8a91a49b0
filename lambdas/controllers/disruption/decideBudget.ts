import type { Condition } from 'kubernetes-types/meta/v1.js';
import type { PodDisruptionBudgetStatus } from 'kubernetes-types/policy/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import { isPodReady } from '../../objects/podState.ts';
import { DISRUPTION_ALLOWED, withDisruptionAllowed } from '../../objects/disruptionAllowed.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { ExpectedPods, PodDisruptionBudget } from './expectedPods.ts';

/** How long an evicted pod may take until its deletion shows: Kubernetes' `DeletionTimeout`. */
const DELETION_TIMEOUT_MS = 2 * 60_000;

export interface BudgetDecision {
  readonly status: PodDisruptionBudgetStatus;
  /** In how many milliseconds an evicted pod that is not being deleted counts again. Absent: no pod is waited for. */
  readonly recheckAfterMs?: number;
}

/** Computes the status of a budget over the pods that it selects, as Kubernetes' `trySync`. Pure. */
export function decideBudget(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  expected: ExpectedPods,
  nowMs: number,
): BudgetDecision {
  if (expected.error !== undefined) return { status: failSafe(budget, expected.error, nowMs) };
  const disrupted = disruptedPods(budget, pods, nowMs);
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
  if (times.length === 0) return { status };
  const firstMs = Math.min(...times.map((time) => Date.parse(time)));
  return { status, recheckAfterMs: Math.max(0, firstMs + DELETION_TIMEOUT_MS - nowMs) };
}

function observed({ metadata, status }: PodDisruptionBudget) {
  return { observedGeneration: metadata.generation ?? 0, ...(status?.conditions && { conditions: status.conditions }) };
}

/** Kubernetes' `buildDisruptedPodMap`: the evicted pods whose deletion does not show yet, with the times of their evictions. */
function disruptedPods({ status }: PodDisruptionBudget, pods: readonly Pod[], nowMs: number): Map<string, string> {
  const evicted = status?.disruptedPods ?? {};
  return new Map(
    pods.flatMap(({ metadata: { name, deletionTimestamp } }) => {
      const time = evicted[name];
      const isOver = time === undefined || Date.parse(time) + DELETION_TIMEOUT_MS <= nowMs;
      return isOver || deletionTimestamp !== undefined ? [] : [[name, time] as const];
    }),
  );
}

/** Kubernetes' `failSafe`: nothing may be evicted while nobody knows how many pods there should be. */
function failSafe(
  { metadata, status }: PodDisruptionBudget,
  message: string,
  nowMs: number,
): PodDisruptionBudgetStatus {
  const { conditions = [] } = status ?? {};
  const before = conditions.find(({ type }) => type === DISRUPTION_ALLOWED);
  const isSame = before?.status === 'False';
  const condition: Condition = {
    type: DISRUPTION_ALLOWED,
    status: 'False',
    reason: 'SyncFailed',
    message,
    observedGeneration: metadata.generation ?? 0,
    lastTransitionTime: isSame ? before.lastTransitionTime : formatTime(nowMs),
  };
  return {
    currentHealthy: status?.currentHealthy ?? 0,
    desiredHealthy: status?.desiredHealthy ?? 0,
    expectedPods: status?.expectedPods ?? 0,
    ...(status?.observedGeneration !== undefined && { observedGeneration: status.observedGeneration }),
    ...(status?.disruptedPods && { disruptedPods: status.disruptedPods }),
    disruptionsAllowed: 0,
    conditions: [...conditions.filter(({ type }) => type !== DISRUPTION_ALLOWED), condition],
  };
}
