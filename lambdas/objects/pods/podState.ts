import type { PodCondition } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../kinds.ts';

/** True if the pod's containers have ended for good: phase Succeeded or Failed. */
export function isPodTerminal(pod: Pod): boolean {
  const phase = pod.status?.phase;
  return phase === 'Succeeded' || phase === 'Failed';
}

/** True if the pod counts as a replica: it has neither ended nor is it being deleted. */
export function isPodActive(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp === undefined && !isPodTerminal(pod);
}

/** True if the pod is being deleted and its containers may still run. `status.terminatingReplicas` counts these pods. */
export function isPodTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !isPodTerminal(pod);
}

/** Returns the pod's condition of that type, if its status has one. */
export function podConditionOf(pod: Pod, type: string): PodCondition | undefined {
  // A loop, since this is asked of tens of thousands of pods.
  for (const condition of pod.status?.conditions ?? []) if (condition.type === type) return condition;
  return undefined;
}

/** True if the pod's Ready condition is true, in any phase. */
export function isPodReady(pod: Pod): boolean {
  return podConditionOf(pod, 'Ready')?.status === 'True';
}

/**
 * Returns the time from which a ready pod counts as available, in milliseconds since the epoch: `minReadySeconds` after it became ready, or always
 * (negative infinity) if `minReadySeconds` is 0. `undefined` for a pod that is not ready, or whose condition has no transition time.
 */
export function podAvailableAtMs(pod: Pod, minReadySeconds: number): number | undefined {
  if (!isPodReady(pod)) return undefined;
  if (minReadySeconds === 0) return Number.NEGATIVE_INFINITY;
  const sinceMs = Date.parse(podConditionOf(pod, 'Ready')?.lastTransitionTime ?? '');
  return Number.isNaN(sinceMs) ? undefined : sinceMs + minReadySeconds * 1000;
}

/** A pod that names a time further ahead than this names it because the clock was set back since. Nobody knows how long it has waited, and it must not wait until the clock is there again. */
export const CLOCK_WAS_SET_BACK_MS = 60_000;

/** True if the pod has been ready for at least `minReadySeconds` (the end included, as in Kubernetes since 1.34), or became ready before the clock was set back. */
export function isPodAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  const atMs = podAvailableAtMs(pod, minReadySeconds);
  if (atMs === undefined) return false;
  return atMs <= nowMs || atMs - minReadySeconds * 1000 > nowMs + CLOCK_WAS_SET_BACK_MS;
}
