import type { Taint, Toleration } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import { toleratesTaint } from '../../objects/pods/tolerations.ts';

/** The pods to evict now, and when the next one is due. */
export interface EvictionDecision {
  readonly evicted: readonly Pod[];
  readonly nextInMs?: number;
}

/**
 * Decides which pods of a node leave it because of its NoExecute taints, as `processPodOnNode`: at once if one of the taints is not tolerated, otherwise after the shortest `tolerationSeconds` of the
 * tolerations that are needed. Kubernetes counts from when it noticed the taint; here it is counted from the taint's own time, or from the pod's creation if that is later. Pure.
 */
export function decideEvictions(pods: readonly Pod[], taints: readonly Taint[], nowMs: number): EvictionDecision {
  if (taints.length === 0) return { evicted: [] };
  const due = pods
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map((pod) => ({ pod, atMs: evictedAtMs(pod, taints) }));
  const later = due.map(({ atMs }) => atMs).filter((atMs) => atMs > nowMs && Number.isFinite(atMs));
  return {
    evicted: due.filter(({ atMs }) => atMs <= nowMs).map(({ pod }) => pod),
    ...(later.length > 0 && { nextInMs: Math.min(...later) - nowMs }),
  };
}

/** When the pod has to leave; infinity: never. */
function evictedAtMs({ metadata, spec }: Pod, taints: readonly Taint[]): number {
  const used = taints.map((taint) => (spec?.tolerations ?? []).filter((one) => toleratesTaint(one, taint)));
  if (used.some((tolerations) => tolerations.length === 0)) return Number.NEGATIVE_INFINITY;
  const seconds = shortestSeconds(used.map(([first]) => first));
  if (seconds === undefined) return Number.POSITIVE_INFINITY;
  if (seconds <= 0) return Number.NEGATIVE_INFINITY;
  const times = [metadata.creationTimestamp, ...taints.map(({ timeAdded }) => timeAdded ?? '')];
  const sinceMs = Math.max(...times.map((time) => Date.parse(time)).filter((ms) => !Number.isNaN(ms)), 0);
  return sinceMs + seconds * 1000;
}

/** The shortest time of the tolerations; `undefined` if none of them ends. */
function shortestSeconds(tolerations: readonly (Toleration | undefined)[]): number | undefined {
  const all = tolerations.flatMap((one) => (one?.tolerationSeconds === undefined ? [] : [one.tolerationSeconds]));
  return all.length === 0 ? undefined : Math.min(...all);
}
