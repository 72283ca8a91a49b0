import type { PodCondition } from 'kubernetes-types/core/v1.js';
import type { Pod } from './kinds.ts';

/** Its containers have ended for good: phase Succeeded or Failed. */
export function isPodTerminal(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

/** What counts as a replica: neither ended nor being deleted. */
export function isPodActive(pod: Pod): boolean {
  return !isPodTerminal(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Being deleted while its containers may still run: what `status.terminatingReplicas` counts. */
export function isPodTerminating(pod: Pod): boolean {
  return !isPodTerminal(pod) && pod.metadata.deletionTimestamp !== undefined;
}

/** The pod's condition of that type, if its status has one. */
export function podConditionOf(pod: Pod, type: string): PodCondition | undefined {
  return pod.status?.conditions?.find((condition) => condition.type === type);
}

/** True when the pod's Ready condition says so, whatever its phase. */
export function isPodReady(pod: Pod): boolean {
  return podConditionOf(pod, 'Ready')?.status === 'True';
}

/**
 * When a ready pod counts as available, in milliseconds since the epoch: at once without `minReadySeconds`, else that long after it became ready.
 * `undefined` for a pod that is not ready, or does not say since when.
 */
export function podAvailableAtMs(pod: Pod, minReadySeconds: number): number | undefined {
  if (!isPodReady(pod)) return undefined;
  if (minReadySeconds === 0) return Number.NEGATIVE_INFINITY;
  const sinceMs = Date.parse(podConditionOf(pod, 'Ready')?.lastTransitionTime ?? '');
  return Number.isNaN(sinceMs) ? undefined : sinceMs + minReadySeconds * 1000;
}

/** Ready for `minReadySeconds` or longer (the end included, as Kubernetes has it since 1.34). */
export function isPodAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  const atMs = podAvailableAtMs(pod, minReadySeconds);
  return atMs !== undefined && atMs <= nowMs;
}
