import { stuckPods } from '../../explain/stuckPods.ts';
import type { ExplainFacts, RoomExplanation } from '../ControllerRoom.ts';
import type { HPAScalingRules } from 'kubernetes-types/autoscaling/v2.js';
import type { AutoscalerMemory } from './AutoscalerMemory.ts';
import { boundsOf, decideScale, type ScaleFacts } from './decideScale.ts';
import { memoryOf, observeAutoscaler } from './syncAutoscaler.ts';
import { tolerancesForHpa } from './Tolerances.ts';
import { reasonInWords } from './autoscalerReasons.ts';
import type { HorizontalPodAutoscaler, Node } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { Intent } from '../../ports/KeyLocks.ts';
import { durationInWords } from '../../explain/durationInWords.ts';
import type { DecisionExplanation } from '../../explain/Explanation.ts';
import { TargetSelectors } from './TargetSelectors.ts';
import { findKind } from '../../registry/findKind.ts';
import { ClusterMetrics } from '../../registry/metrics/ClusterMetrics.ts';

/** What an autoscaler's decision depends on, except for what its key remembers. */
type ScalingFacts = Pick<ScaleFacts, 'autoscaler' | 'target' | 'measurements'>;

/** Why an autoscaler changes the replicas of its target now, or does not: what its controller would decide. `intent` is that of its key. Writes nothing. */
export function explainAutoscaler(facts: ScalingFacts, intent: Intent | undefined, nowMs: number): DecisionExplanation {
  const { autoscaler } = facts;
  const memory = memoryOf(autoscaler, intent);
  const decision = decideScale({ ...facts, memory, nowMs });
  return {
    summary: summaryLines(facts, memory, nowMs),
    why: decision.why.map(reasonInWords),
    waitsFor: waits(
      autoscaler,
      decision.why.map(({ reason }) => reason),
    ),
  };
}

function summaryLines({ autoscaler, target }: ScalingFacts, memory: AutoscalerMemory, nowMs: number): string[] {
  const { scaleTargetRef, behavior } = autoscaler.spec ?? {};
  const { min, max } = boundsOf(autoscaler);
  const tolerances = tolerancesForHpa(autoscaler);
  const replicas = typeof target === 'string' ? 'an unknown number of' : String(target.scale.spec);
  return [
    `it scales ${scaleTargetRef?.kind}/${scaleTargetRef?.name}, which has ${replicas} replicas, to between ${min} and ${max}`,
    `a metric may be ${tolerances.scaleUp * 100} % above and ${tolerances.scaleDown * 100} % below its target before anything changes`,
    ...(behavior ? [rulesLine('up', behavior.scaleUp), rulesLine('down', behavior.scaleDown)] : [DEFAULT_RULES]),
    ...recommendationLines(memory, nowMs),
    ...memory.events.map(
      ({ change, atMs, isUncertain }) =>
        `${isUncertain ? 'it may have changed' : 'it changed'} the replicas by ${change > 0 ? '+' : ''}${change} at ${formatTime(atMs)}, ${durationInWords(nowMs - atMs)} ago`,
    ),
  ];
}

const DEFAULT_RULES =
  'it may double the replicas, or have 4, in 15 s; it goes down to the highest recommendation of the last 300 s';

function rulesLine(direction: 'up' | 'down', rules: HPAScalingRules | undefined): string {
  if (rules?.selectPolicy === 'Disabled') return `scaling ${direction} is disabled`;
  const policies = (rules?.policies ?? []).map(
    ({ type, value, periodSeconds }) => `${value}${type === 'Percent' ? ' %' : ' pods'} in ${periodSeconds} s`,
  );
  const choice = rules?.selectPolicy === 'Min' ? 'the least of' : 'the most of';
  const limit = policies.length > 1 ? `${choice} ${policies.join(' and ')}` : policies.join('');
  const windowSeconds = rules?.stabilizationWindowSeconds ?? (direction === 'down' ? 300 : 0);
  return `scaling ${direction}: at most ${limit}; recommendations of the last ${windowSeconds} s count`;
}

function recommendationLines({ current, past }: AutoscalerMemory, nowMs: number): string[] {
  const earlier = past.map(({ replicas, untilMs }) => `${replicas} until ${durationInWords(nowMs - untilMs)} ago`);
  const now = current === undefined ? [] : [`${current} now`];
  return earlier.length + now.length === 0 ? [] : [`recommended replicas: ${[...earlier, ...now].join(', ')}`];
}

function waits({ status }: HorizontalPodAutoscaler, reasons: readonly string[]): string[] {
  const conditions = status?.conditions ?? [];
  const limited = conditions.find(({ type, status: value }) => type === 'ScalingLimited' && value === 'True');
  const has = (reason: string) => reasons.includes(reason);
  return [
    ...(has('scalingIsDisabled') ? ['until its target has at least one replica'] : []),
    ...(has('scaleIsUnknown') ? ['until its target can be scaled'] : []),
    ...(has('podsAreUnknown') ? ['until the selector of its target tells which pods it scales'] : []),
    ...(has('metricsAreUnknown') ? ['until the metrics are known'] : []),
    ...(has('isStabilized') ? ['until the recommendations that hold it back are older than its window'] : []),
    ...(has('isLimited') && limited?.reason?.startsWith('Scale') ? ['until its rates allow more'] : []),
    'it looks again every 15 s',
  ];
}

/** Explains an autoscaler and the pods that it scales. */
export async function explainAutoscalerAndPods(given: ExplainFacts): Promise<RoomExplanation> {
  const { intent, nowMs } = given;
  const facts = await observeScaling(given);
  const pods = facts.measurements?.status === 'read' ? facts.measurements.pods : [];
  return { autoscaler: explainAutoscaler(facts, intent, nowMs), stuckPods: stuckPods(pods) };
}

/** Reads what the autoscaler's next sync will read. */
async function observeScaling({ registry, catalog, clock, kubelets, object }: ExplainFacts): Promise<ScalingFacts> {
  const autoscaler = object as HorizontalPodAutoscaler;
  const metrics = new ClusterMetrics({
    registry,
    kubelets,
    findKind: (group, kind) => findKind(catalog, group, kind),
    nodeNamed: (name) => registry.get<Node>({ resource: 'nodes', namespace: '', name }),
  });
  const selectors = new TargetSelectors({ registry, catalog, clock });
  const parts = { registry, catalog, metrics, selectors };
  return { autoscaler, ...(await observeAutoscaler(parts, autoscaler, clock.now())) };
}
