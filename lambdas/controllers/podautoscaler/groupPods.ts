import type { Pod } from '../../objects/kinds.ts';
import { podConditionOf } from '../../objects/pods/podState.ts';
import type { PodMetric, PodMetrics } from './PodMetrics.ts';

/** kube-controller-manager's `--horizontal-pod-autoscaler-cpu-initialization-period`: for so long after its start a pod may use much CPU only because it starts. */
const CPU_INITIALIZATION_PERIOD_MS = 5 * 60_000;
/** kube-controller-manager's `--horizontal-pod-autoscaler-initial-readiness-delay`: a pod that became unready within this time after its start has never been ready. */
const INITIAL_READINESS_DELAY_MS = 30_000;

/** The pods by what their values are good for: names, except for the ready ones. */
export interface PodGroups {
  /** How many have a value that counts. */
  readonly readyCount: number;
  /** They have no value yet that means anything. When pods are added, they count as using nothing. */
  readonly unready: ReadonlySet<string>;
  /** They run, and their value is not known. */
  readonly missing: ReadonlySet<string>;
  /** They have failed, or are being deleted. */
  readonly ignored: ReadonlySet<string>;
}

type Group = 'ready' | 'unready' | 'missing' | 'ignored';

/** Kubernetes' `groupPods`. Only the CPU (`resource`) of a pod depends on whether it has just started. Pure. */
export function groupPods(pods: readonly Pod[], metrics: PodMetrics, resource: string, nowMs: number): PodGroups {
  const grouped = pods.map((pod) => [groupOf(pod, metrics, resource, nowMs), pod.metadata.name] as const);
  const namesIn = (wanted: Group) => new Set(grouped.flatMap(([group, name]) => (group === wanted ? [name] : [])));
  return {
    readyCount: grouped.filter(([group]) => group === 'ready').length,
    unready: namesIn('unready'),
    missing: namesIn('missing'),
    ignored: namesIn('ignored'),
  };
}

function groupOf(pod: Pod, metrics: PodMetrics, resource: string, nowMs: number): Group {
  if (pod.metadata.deletionTimestamp !== undefined || pod.status?.phase === 'Failed') return 'ignored';
  if (pod.status?.phase === 'Pending') return 'unready';
  const metric = metrics.get(pod.metadata.name);
  if (!metric) return 'missing';
  return resource === 'cpu' && isInitializing(pod, metric, nowMs) ? 'unready' : 'ready';
}

function isInitializing(pod: Pod, metric: PodMetric, nowMs: number): boolean {
  const condition = podConditionOf(pod, 'Ready');
  const startMs = Date.parse(pod.status?.startTime ?? '');
  if (!condition || Number.isNaN(startMs)) return true;
  const isUnready = condition.status === 'False';
  const sinceMs = Date.parse(condition.lastTransitionTime ?? '');
  if (startMs + CPU_INITIALIZATION_PERIOD_MS > nowMs)
    return isUnready || metric.timestampMs < sinceMs + metric.windowMs;
  return isUnready && startMs + INITIAL_READINESS_DELAY_MS > sinceMs;
}
