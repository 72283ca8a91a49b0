import type { Pod } from '../../objects/kinds.ts';
import { isPodReady } from '../../objects/pods/podState.ts';
import { calculateRequests } from './calculateRequests.ts';
import { groupPods, type PodGroups } from './groupPods.ts';
import type { PodMetrics } from './PodMetrics.ts';
import { isWithin, type Tolerances } from './Tolerances.ts';

/** What all calculations depend on. `pods` are those that the scale's selector selects. */
export interface ReplicaFacts {
  /** `spec.replicas` of the scale. */
  readonly currentReplicas: number;
  /** `status.replicas` of the scale. */
  readonly statusReplicas: number;
  readonly pods: readonly Pod[];
  readonly tolerances: Tolerances;
  readonly nowMs: number;
}

/** How a number of replicas came about, for those who ask why. */
export interface Arithmetic {
  /** The measured value divided by the wanted one. */
  readonly ratio: number;
  /** How many pods the ratio is multiplied by; absent: it is not multiplied by pods. */
  readonly counted?: number;
  /** The ratio after pods without a value got one. */
  readonly filledRatio?: number;
  readonly unready: number;
  readonly missing: number;
  /** Why the number of replicas stays: the ratio is near 1, or pods without a value would turn the direction round. */
  readonly kept?: 'tolerance' | 'direction';
}

export interface Calculated {
  readonly status: 'calculated';
  readonly replicas: number;
  /** The average value of a pod, or the value of the object, in thousandths. */
  readonly usageMilli: number;
  /** In percent of what is requested; only for targets of that kind. */
  readonly utilization?: number;
  readonly arithmetic: Arithmetic;
}

export type Calculation = Calculated | { readonly status: 'failed'; readonly message: string };

const MAX_REPLICAS = 2 ** 31 - 1;
const NO_PODS = 'no pods returned by selector while calculating replica count';
const NO_METRICS = 'did not receive metrics for targeted pods (pods might be unready)';

function failed(message: string): Calculation {
  return { status: 'failed', message };
}

/** Returns the replicas for a target in percent of what the pods request: `GetResourceReplicas`. Pure. */
export function getResourceReplicas(
  facts: ReplicaFacts,
  metrics: PodMetrics,
  target: { readonly resource: string; readonly container?: string; readonly utilization: number },
): Calculation {
  const { pods, nowMs } = facts;
  if (pods.length === 0) return failed(NO_PODS);
  const groups = groupPods(pods, metrics, target.resource, nowMs);
  const values = countedValues(metrics, groups);
  if (values.size === 0) return failed(NO_METRICS);
  const requests = calculateRequests(pods, target.container, target.resource);
  if (typeof requests === 'string') return failed(requests);
  const measure = (some: Values) => getResourceUtilizationRatio(some, requests, target.utilization);
  const first = measure(values);
  if (!first) return failed('no metrics returned matched known pods');
  // A pod without a value counts as using all that it requests, or the target, if that is more.
  const fallback = (name: string) => Math.trunc(((requests.get(name) ?? 0) * Math.max(100, target.utilization)) / 100);
  const proposal = proposeReplicas(facts, groups, values, fallback, (some) => measure(some)?.ratio ?? first.ratio);
  const { utilization, averageMilli: usageMilli } = first;
  return { status: 'calculated', ...proposal, utilization, usageMilli };
}

/** Returns the replicas for a target per pod: `calcPlainMetricReplicas`. `resource`: `''` for a metric that is no resource. Pure. */
export function calcPlainMetricReplicas(
  facts: ReplicaFacts,
  metrics: PodMetrics,
  target: { readonly resource: string; readonly usageMilli: number },
): Calculation {
  const { pods, nowMs } = facts;
  if (pods.length === 0) return failed(NO_PODS);
  const groups = groupPods(pods, metrics, target.resource, nowMs);
  const values = countedValues(metrics, groups);
  if (values.size === 0) return failed(NO_METRICS);
  const ratioOf = (some: Values) => averageOf(some) / target.usageMilli;
  const proposal = proposeReplicas(facts, groups, values, () => target.usageMilli, ratioOf);
  return { status: 'calculated', ...proposal, usageMilli: averageOf(values) };
}

/** Thousandths by the pods' names. */
type Values = ReadonlyMap<string, number>;

function countedValues(metrics: PodMetrics, { unready, ignored }: PodGroups): Values {
  return new Map(
    [...metrics].flatMap(([name, { valueMilli }]) =>
      unready.has(name) || ignored.has(name) ? [] : [[name, valueMilli] as const],
    ),
  );
}

function averageOf(values: Values): number {
  return Math.trunc([...values.values()].reduce((sum, value) => sum + value, 0) / values.size);
}

/** `undefined` if no pod with a value requests anything. */
function getResourceUtilizationRatio(values: Values, requests: ReadonlyMap<string, number>, targetUtilization: number) {
  const known = [...values].filter(([name]) => requests.has(name));
  const used = known.reduce((sum, [, value]) => sum + value, 0);
  const requested = known.reduce((sum, [name]) => sum + (requests.get(name) ?? 0), 0);
  if (requested === 0) return undefined;
  const utilization = Math.trunc((used * 100) / requested);
  return { ratio: utilization / targetUtilization, utilization, averageMilli: Math.trunc(used / known.length) };
}

type Proposal = Pick<Calculated, 'replicas' | 'arithmetic'>;

/**
 * The common half of both calculations. Pods without a value must not cause a change: when pods are added they count as using nothing, when pods are removed as using as much as they may.
 *
 * Worked example, with a target of 50 % and requests of 100m. Three pods use 40m each, and the value of a fourth is missing. 40 / 50 = 0.8, so pods could go. With the fourth at 100m the average is 55m: 55 / 50 = 1.1. That is within the
 * tolerance, and the four pods stay.
 */
function proposeReplicas(
  { currentReplicas, tolerances }: ReplicaFacts,
  { readyCount, unready, missing }: PodGroups,
  values: Values,
  fallback: (name: string) => number,
  ratioOf: (values: Values) => number,
): Proposal {
  const ratio = ratioOf(values);
  const counts = { ratio, unready: unready.size, missing: missing.size };
  const keep = (more: Partial<Arithmetic>) => ({ replicas: currentReplicas, arithmetic: { ...counts, ...more } });
  const addsDespiteUnready = unready.size > 0 && ratio > 1;
  if (!addsDespiteUnready && missing.size === 0) {
    if (isWithin(tolerances, ratio)) return keep({ counted: readyCount, kept: 'tolerance' });
    return { replicas: Math.ceil(ratio * readyCount), arithmetic: { ...counts, counted: readyCount } };
  }
  const filled = new Map(values);
  if (ratio !== 1) for (const name of missing) filled.set(name, ratio < 1 ? fallback(name) : 0);
  if (addsDespiteUnready) for (const name of unready) filled.set(name, 0);
  const filledRatio = ratioOf(filled);
  const working = { filledRatio, counted: filled.size };
  if (isWithin(tolerances, filledRatio)) return keep({ ...working, kept: 'tolerance' });
  const replicas = Math.ceil(filledRatio * filled.size);
  const isTurned = (ratio < 1 && filledRatio > 1) || (ratio > 1 && filledRatio < 1);
  const goesWrong = (filledRatio < 1 && replicas > currentReplicas) || (filledRatio > 1 && replicas < currentReplicas);
  if (isTurned || goesWrong) return keep({ ...working, kept: 'direction' });
  return { replicas, arithmetic: { ...counts, ...working } };
}

/** Returns the replicas for the value of an object or of something outside the cluster: `getUsageRatioReplicaCount`. Without pods the ratio itself is the number. Pure. */
export function getUsageRatioReplicas(
  { currentReplicas, tolerances, pods }: ReplicaFacts,
  usageMilli: number,
  targetMilli: number,
): Calculation {
  const ratio = usageMilli / targetMilli;
  const arithmetic = { ratio, unready: 0, missing: 0 };
  if (currentReplicas === 0)
    return { status: 'calculated', replicas: bounded(Math.ceil(ratio)), usageMilli, arithmetic };
  const counted = pods.filter((pod) => pod.status?.phase === 'Running' && isPodReady(pod)).length;
  if (isWithin(tolerances, ratio)) {
    const kept = { ...arithmetic, counted, kept: 'tolerance' as const };
    return { status: 'calculated', replicas: currentReplicas, usageMilli, arithmetic: kept };
  }
  if (pods.length === 0) return failed(`unable to calculate ready pods: ${NO_PODS}`);
  const replicas = bounded(Math.ceil(ratio * counted));
  return { status: 'calculated', replicas, usageMilli, arithmetic: { ...arithmetic, counted } };
}

/** Returns the replicas for such a value with a target for each pod: `GetObjectPerPodMetricReplicas` and `GetExternalPerPodMetricReplicas`. Pure. */
export function getPerPodReplicas(
  { statusReplicas, tolerances }: ReplicaFacts,
  usageMilli: number,
  targetMilli: number,
): Calculation {
  const ratio = usageMilli / (targetMilli * statusReplicas);
  const isKept = isWithin(tolerances, ratio);
  return {
    status: 'calculated',
    replicas: isKept ? statusReplicas : bounded(Math.ceil(usageMilli / targetMilli)),
    usageMilli: statusReplicas === 0 ? usageMilli : Math.ceil(usageMilli / statusReplicas),
    arithmetic: { ratio, unready: 0, missing: 0, ...(isKept && { kept: 'tolerance' as const }) },
  };
}

function bounded(replicas: number): number {
  return Math.min(replicas, MAX_REPLICAS);
}
