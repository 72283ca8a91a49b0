import type { PodInfo } from './framework/PodInfo.ts';
import { startedAtMs, type Victims } from './selectVictimsOnNode.ts';

/** Added to each priority, so that more victims are never better than fewer because some priorities are negative. */
const ABOVE_ALL_PRIORITIES = 2 ** 31;

/** What Kubernetes compares, one after the other, where the less is the better. */
const CRITERIA: readonly ((candidate: Victims) => number)[] = [
  ({ violations }) => violations,
  ({ victims }) => victims[0]?.priority ?? Number.NEGATIVE_INFINITY,
  ({ victims }) => victims.reduce((sum, { priority }) => sum + priority + ABOVE_ALL_PRIORITIES, 0),
  ({ victims }) => victims.length,
  ({ victims }) => -earliestStartMs(victims),
];

/** Chooses the node whose victims matter least, as Kubernetes' `pickOneNodeForPreemption`: the first of those that are alike; `undefined` for an empty list. Pure. */
export function pickOneNode(candidates: readonly Victims[]): Victims | undefined {
  let best = candidates;
  for (const criterion of CRITERIA) {
    const least = Math.min(...best.map(criterion));
    best = best.filter((candidate) => criterion(candidate) === least);
  }
  return best[0];
}

/** When the first of the most important victims was started. */
function earliestStartMs(victims: readonly PodInfo[]): number {
  const highest = Math.max(...victims.map(({ priority }) => priority));
  return Math.min(...victims.filter(({ priority }) => priority === highest).map(startedAtMs));
}
