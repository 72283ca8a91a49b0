import type { Pod } from '../../objects/kinds.ts';
import type { Reason } from './statefulSetReasons.ts';
import { getPodRevision } from './podIdentity.ts';
import {
  allowsBurst,
  desiredReplicas,
  getStartOrdinal,
  isRunningAndAvailable,
  isTerminating,
  isUnavailable,
  rollingUpdateOf,
} from './setState.ts';
import type { Phase, Replica, StatefulSetWorld } from './StatefulSetPlan.ts';

/**
 * Decides which pods with an old revision are deleted, so that they are created again with the new one: `updateStatefulSetAfterInvariantEstablished`, as it is since 1.37. The highest ordinals go first. Not more than
 * `maxUnavailable` pods may be unavailable: 5 pods of which 1 is unavailable, and at most 2 may be, so 1 may go.
 *
 * In a parallel set, old pods that are unavailable anyway go at once, and only then available ones within the bound. An ordered set gets here only if all its pods are available. `present`: the pods that it wants and has, from the lowest ordinal on. `taken`: pods that are deleted already.
 * Pure.
 */
export function planRollingUpdate(
  { set, revisions, nowMs }: StatefulSetWorld,
  present: readonly Replica[],
  taken: ReadonlySet<string>,
): Phase {
  const bounds = rollingUpdateOf(set);
  const missing = desiredReplicas(set) - present.length;
  const unavailable = missing + present.filter(({ pod }) => isUnavailable(set, pod, nowMs)).length;
  const { name: revision } = revisions.update;
  const isOld = (pod: Pod) => getPodRevision(pod) !== revision && !isTerminating(pod);
  const old = present.filter(({ pod }) => isOld(pod));
  if (old.length === 0) return { steps: [], why: [], stops: false };
  if (!bounds) return because({ reason: 'updatesOnDelete', pods: old.length });
  const { partition, maxUnavailable } = bounds;
  const targets = old
    .filter(({ ordinal }) => ordinal - getStartOrdinal(set) >= partition)
    .map(({ pod }) => pod)
    .reverse();
  if (targets.length === 0) return because({ reason: 'partitionKeepsOld', pods: old.length, partition });
  const isAvailable = (pod: Pod) => isRunningAndAvailable(set, pod, nowMs);
  const budget = Math.max(0, maxUnavailable - unavailable);
  const chosen = allowsBurst(set)
    ? [...targets.filter((pod) => !isAvailable(pod)), ...targets.filter(isAvailable).slice(0, budget)]
    : targets.slice(0, budget);
  const steps = chosen
    .filter(({ metadata }) => !taken.has(metadata.uid))
    .map((pod) => ({ step: 'delete', pod, because: 'outdated' }) as const);
  const numbers = { unavailable, maxUnavailable };
  if (steps.length === 0) return because({ wait: 'updateBudget', name: targets[0]?.metadata.name ?? '', ...numbers });
  const names = steps.map(({ pod }) => pod.metadata.name);
  return { steps, why: [{ reason: 'updatesPods', names, revision, ...numbers }], stops: false };
}

function because(...why: Reason[]): Phase {
  return { steps: [], why, stops: false };
}
