import type { HorizontalPodAutoscalerStatus, MetricStatus } from 'kubernetes-types/autoscaling/v2.js';
import type { HorizontalPodAutoscaler, Pod } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { EventToRecord } from '../EventRecorder.ts';
import type { Reason } from './autoscalerReasons.ts';
import { type NewCondition, withConditions } from './autoscalerConditions.ts';
import { type AutoscalerMemory, withInitialRecommendation, withRecommendation } from './AutoscalerMemory.ts';
import { computeReplicasForMetrics, type MetricsProposal } from './computeReplicasForMetrics.ts';
import { normalizeDesiredReplicas } from './normalizeDesiredReplicas.ts';
import type { MetricReading } from './observeMetrics.ts';
import type { ScaleTarget } from './ScaleTarget.ts';
import { tolerancesForHpa } from './Tolerances.ts';

/** What happened to an autoscaler, for an event. */
export type Happening = Pick<EventToRecord, 'type' | 'reason' | 'message'>;

/** What was read of the pods and their metrics; a `problem` says why nothing may be decided by them. */
export type Measurements =
  | { readonly status: 'read'; readonly pods: readonly Pod[]; readonly readings: readonly MetricReading[] }
  | { readonly status: 'refused'; readonly problem: SelectorProblem };

/** Why the pods of a scale cannot be told. */
export interface SelectorProblem {
  readonly event: Happening;
  readonly condition: NewCondition;
}

export interface ScaleFacts {
  readonly autoscaler: HorizontalPodAutoscaler;
  /** A text says why the scale could not be read. */
  readonly target: Pick<ScaleTarget, 'scale'> | string;
  /** Absent if nothing depends on it, see `needsMetrics`. */
  readonly measurements?: Measurements;
  readonly memory: AutoscalerMemory;
  readonly nowMs: number;
}

export interface Rescale {
  readonly from: number;
  readonly to: number;
  /** Why, as the event says it. */
  readonly reason: string;
}

export interface ScaleDecision {
  /** What is remembered after this sync, except for the rescale. */
  readonly memory: AutoscalerMemory;
  /** Absent: the replicas stay. */
  readonly rescale?: Rescale;
  /** The status if the replicas stay, or cannot be written. */
  readonly status: HorizontalPodAutoscalerStatus;
  readonly happened: readonly Happening[];
  readonly why: readonly Reason[];
}

/** The bounds of an autoscaler. Pure. */
export function boundsOf({ spec }: HorizontalPodAutoscaler): { readonly min: number; readonly max: number } {
  return { min: spec?.minReplicas ?? 1, max: spec?.maxReplicas ?? 1 };
}

/** Whether the decision depends on metrics: only if the scale is known, is not switched off, and is within the bounds. Pure. */
export function needsMetrics({ autoscaler, target }: Pick<ScaleFacts, 'autoscaler' | 'target'>): boolean {
  if (typeof target === 'string') return false;
  const { min, max } = boundsOf(autoscaler);
  const { spec: current } = target.scale;
  return !(current === 0 && min !== 0) && current >= min && current <= max;
}

/** Decides what an autoscaler does now, and what its status says: the pure part of Kubernetes' `reconcileAutoscaler`. */
export function decideScale(facts: ScaleFacts): ScaleDecision {
  const { autoscaler, target, nowMs } = facts;
  if (typeof target === 'string') return withoutScale(facts, target);
  const { min, max } = boundsOf(autoscaler);
  const current = target.scale.spec;
  const memory = withInitialRecommendation(facts.memory, current, nowMs);
  const known = { ...facts, memory, target };
  if (current === 0 && min !== 0) return disabled(known);
  if (current > max)
    return outOfBounds(known, { from: current, to: max, reason: 'Current number of replicas above Spec.MaxReplicas' });
  if (current < min)
    return outOfBounds(known, { from: current, to: min, reason: 'Current number of replicas below Spec.MinReplicas' });
  return byMetrics(known);
}

type KnownFacts = ScaleFacts & { readonly target: Pick<ScaleTarget, 'scale'> };

const SUCCEEDED_GET_SCALE: NewCondition = {
  type: 'AbleToScale',
  status: 'True',
  reason: 'SucceededGetScale',
  message: "the HPA controller was able to get the target's current scale",
};

/** The rest of the status stays as it was. */
function withoutScale({ autoscaler, memory, nowMs }: ScaleFacts, message: string): ScaleDecision {
  const condition: NewCondition = {
    type: 'AbleToScale',
    status: 'False',
    reason: 'FailedGetScale',
    message: `the HPA controller was unable to get the target's current scale: ${message}`,
  };
  const { status } = autoscaler;
  return {
    memory: withRecommendation(memory, undefined, nowMs),
    status: {
      desiredReplicas: 0,
      ...status,
      ...observedGeneration(autoscaler),
      conditions: [...withConditions(status?.conditions ?? [], [condition], formatTime(nowMs))],
    },
    happened: [{ type: 'Warning', reason: 'FailedGetScale', message }],
    why: [{ reason: 'scaleIsUnknown', message }],
  };
}

function disabled(facts: KnownFacts): ScaleDecision {
  const message = 'scaling is disabled since the replica count of the target is zero';
  const condition = { type: 'ScalingActive', status: 'False', reason: 'ScalingDisabled', message } as const;
  return {
    memory: withRecommendation(facts.memory, undefined, facts.nowMs),
    status: statusWith(facts, { desiredReplicas: 0, conditions: [condition] }),
    happened: [],
    why: [{ reason: 'scalingIsDisabled' }],
  };
}

function outOfBounds(facts: KnownFacts, rescale: Rescale): ScaleDecision {
  const { min, max } = boundsOf(facts.autoscaler);
  return {
    memory: facts.memory,
    rescale,
    status: statusWith(facts, { conditions: [] }),
    happened: [],
    why: [{ reason: 'replicasOutOfBounds', replicas: rescale.from, min, max }],
  };
}

function byMetrics(facts: KnownFacts): ScaleDecision {
  const { autoscaler, target, measurements, nowMs } = facts;
  if (measurements?.status !== 'read') return withoutPods(facts, measurements?.problem);
  const { spec: currentReplicas, status: statusReplicas } = target.scale;
  const { pods, readings } = measurements;
  const replicaFacts = { currentReplicas, statusReplicas, pods, tolerances: tolerancesForHpa(autoscaler), nowMs };
  const proposal = computeReplicasForMetrics(autoscaler.spec?.metrics ?? [], readings, replicaFacts);
  if (proposal.replicas === undefined) return withoutMetrics(facts, proposal);
  return normalized(facts, proposal, proposal.replicas);
}

function withoutPods(facts: KnownFacts, problem: SelectorProblem | undefined): ScaleDecision {
  const { event, condition } = problem ?? NO_SELECTOR;
  return {
    memory: withRecommendation(facts.memory, undefined, facts.nowMs),
    status: statusWith(facts, { conditions: [condition] }),
    happened: [event, { type: 'Warning', reason: 'FailedComputeMetricsReplicas', message: event.message }],
    why: [{ reason: 'podsAreUnknown', message: event.message }],
  };
}

/** What Kubernetes says of a scale without a selector. */
export const NO_SELECTOR: SelectorProblem = {
  event: { type: 'Warning', reason: 'SelectorRequired', message: 'selector is required' },
  condition: {
    type: 'ScalingActive',
    status: 'False',
    reason: 'InvalidSelector',
    message: "the HPA target's scale is missing a selector",
  },
};

function withoutMetrics(facts: KnownFacts, proposal: MetricsProposal): ScaleDecision {
  const { statuses, condition, error = '' } = proposal;
  return {
    memory: withRecommendation(facts.memory, undefined, facts.nowMs),
    status: statusWith(facts, { statuses, conditions: [condition] }),
    happened: [...metricEvents(proposal), { type: 'Warning', reason: 'FailedComputeMetricsReplicas', message: error }],
    why: [...metricReasons(proposal), { reason: 'metricsAreUnknown', message: error }],
  };
}

function metricEvents({ proposals }: MetricsProposal): Happening[] {
  return proposals.flatMap((one) =>
    one.status === 'failed' ? [{ type: 'Warning' as const, reason: one.reason, message: one.message }] : [],
  );
}

function metricReasons({ proposals }: MetricsProposal): Reason[] {
  return proposals.map((one): Reason => {
    if (one.status === 'failed') return { reason: 'metricIsUnknown', message: one.message };
    const { name, measured, target, replicas, arithmetic } = one;
    return { reason: 'metricAsksFor', name, measured, target, replicas, arithmetic };
  });
}

function normalized(facts: KnownFacts, proposal: MetricsProposal, desiredReplicas: number): ScaleDecision {
  const { autoscaler, target, memory, nowMs } = facts;
  const currentReplicas = target.scale.spec;
  const { min: minReplicas, max: maxReplicas } = boundsOf(autoscaler);
  const wish = { autoscaler, currentReplicas, desiredReplicas, minReplicas, maxReplicas, memory, nowMs };
  const { replicas, stabilized, conditions } = normalizeDesiredReplicas(wish);
  const isUp = desiredReplicas > currentReplicas;
  const reason = isUp ? `${proposal.metricName} above target` : 'All metrics below target';
  const { statuses, condition } = proposal;
  const limited = conditions.find(({ type, status }) => type === 'ScalingLimited' && status === 'True');
  return {
    memory: withRecommendation(memory, desiredReplicas, nowMs),
    ...(replicas !== currentReplicas && {
      rescale: { from: currentReplicas, to: replicas, reason: desiredReplicas === currentReplicas ? '' : reason },
    }),
    status: statusWith(facts, {
      statuses,
      conditions: [condition, ...conditions],
      ...(replicas === currentReplicas && { desiredReplicas: currentReplicas }),
    }),
    happened: metricEvents(proposal),
    why: [
      ...metricReasons(proposal),
      ...(stabilized === desiredReplicas
        ? []
        : [{ reason: 'isStabilized', desired: desiredReplicas, stabilized } as const]),
      ...(limited ? [{ reason: 'isLimited', message: limited.message, replicas } as const] : []),
      replicas === currentReplicas
        ? { reason: 'replicasStay', replicas }
        : { reason: 'rescales', from: currentReplicas, to: replicas },
    ],
  };
}

interface StatusParts {
  /** Absent: what the status had. */
  readonly desiredReplicas?: number;
  readonly statuses?: readonly MetricStatus[];
  readonly conditions: readonly NewCondition[];
}

/** Kubernetes' `setStatus`, after the scale has been read. */
function statusWith(facts: KnownFacts, parts: StatusParts): HorizontalPodAutoscalerStatus {
  const { autoscaler, target, nowMs } = facts;
  const { status } = autoscaler;
  const conditions = [SUCCEEDED_GET_SCALE, ...parts.conditions];
  return {
    ...observedGeneration(autoscaler),
    ...lastScaleTime(facts),
    ...(target.scale.spec !== 0 && { currentReplicas: target.scale.spec }),
    desiredReplicas: parts.desiredReplicas ?? status?.desiredReplicas ?? 0,
    ...(parts.statuses && parts.statuses.length > 0 && { currentMetrics: [...parts.statuses] }),
    conditions: [...withConditions(status?.conditions ?? [], conditions, formatTime(nowMs))],
  };
}

/** A sync that dies after it has changed the replicas does not get to write this. The next one knows it from its memory. */
function lastScaleTime({ autoscaler: { status }, memory }: KnownFacts): { lastScaleTime?: string } {
  const last = memory.events.findLast(({ isUncertain }) => isUncertain !== true);
  const times = [status?.lastScaleTime, last && formatTime(last.atMs)].filter((time) => time !== undefined);
  const [latest] = times.sort().toReversed();
  return latest === undefined ? {} : { lastScaleTime: latest };
}

function observedGeneration({ metadata }: HorizontalPodAutoscaler): { observedGeneration?: number } {
  return metadata.generation === undefined ? {} : { observedGeneration: metadata.generation };
}

/** Returns the status after the replicas were written, at `nowMs`. Pure. */
export function statusAfterRescale(
  { status }: Pick<ScaleDecision, 'status'>,
  { to }: Rescale,
  nowMs: number,
): HorizontalPodAutoscalerStatus {
  const now = formatTime(nowMs);
  const message = `the HPA controller was able to update the target scale to ${to}`;
  const condition = { type: 'AbleToScale', status: 'True', reason: 'SucceededRescale', message } as const;
  return {
    ...status,
    lastScaleTime: now,
    desiredReplicas: to,
    conditions: [...withConditions(status.conditions ?? [], [condition], now)],
  };
}

/** Returns the status after the replicas could not be written. Pure. */
export function statusAfterRefusal(
  { status }: Pick<ScaleDecision, 'status'>,
  error: string,
  nowMs: number,
): HorizontalPodAutoscalerStatus {
  const message = `the HPA controller was unable to update the target scale: ${error}`;
  const condition = { type: 'AbleToScale', status: 'False', reason: 'FailedUpdateScale', message } as const;
  return { ...status, conditions: [...withConditions(status.conditions ?? [], [condition], formatTime(nowMs))] };
}
