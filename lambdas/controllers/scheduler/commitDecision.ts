import { namespacedName } from '../../objects/KubernetesObject.ts';
import type { PodCondition, PodStatus } from 'kubernetes-types/core/v1.js';
import { jsonEqual } from '../../objects/json.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { podConditionOf } from '../../objects/pods/podState.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import { schedulerEventsOf } from '../pod/podEvents.ts';
import { boundPod } from './boundPod.ts';
import { type Committed, mergeCommitted } from '../Committed.ts';
import { refused } from './refused.ts';
import { commitPodVolumes } from './commitPodVolumes.ts';
import type { PodInfo } from './framework/PodInfo.ts';
import { PREEMPTION_BY_SCHEDULER } from './preempt.ts';
import type { PodDecision } from './schedulePod.ts';

/** Carries out what was decided about a pod. Each write is conditional on the version that the decision was based on. Throws refusals other than conflicts. */
export async function commitDecision(
  registry: GuardedRegistry,
  { pod }: PodInfo,
  decided: PodDecision,
  nowMs: number,
): Promise<Partial<Committed>> {
  if (decided.decision === 'provision') return await commitPodVolumes(registry, decided.volumes, decided.node);
  if (decided.decision === 'bind') return await commitBinding(registry, pod, decided.node, nowMs);
  const evicted: Partial<Committed>[] = [];
  for (const victim of decided.victims)
    evicted.push(await evict(registry, victim.pod, pod, decided.nominatedNodeName, nowMs));
  const { nominatedNodeName: _, ...status } = pod.status ?? {};
  const waiting = {
    ...status,
    ...(decided.nominatedNodeName !== '' && { nominatedNodeName: decided.nominatedNodeName }),
  };
  return mergeCommitted([
    ...evicted,
    await commitWaiting(registry, pod, waiting, { reason: 'Unschedulable', message: decided.message }, nowMs),
  ]);
}

/** Marks a pod whose scheduling gates are not removed yet. */
export async function commitGated(registry: GuardedRegistry, pod: Pod, nowMs: number): Promise<Partial<Committed>> {
  const message = 'Scheduling is blocked due to non-empty scheduling gates';
  return await commitWaiting(registry, pod, pod.status ?? {}, { reason: 'SchedulingGated', message }, nowMs);
}

async function commitBinding(
  registry: GuardedRegistry,
  pod: Pod,
  node: Node,
  nowMs: number,
): Promise<Partial<Committed>> {
  const condition: PodCondition = { type: 'PodScheduled', status: 'True', lastTransitionTime: formatTime(nowMs) };
  const bound = { ...boundPod(pod, node), status: { conditions: [condition] } };
  const outcome = await registry.update<Pod>('pods', bound, { subresource: 'binding', from: pod });
  if (outcome.status === 'refused') return refused(outcome.error);
  return {
    writes: [`bind pods ${namespacedName(pod)} to ${node.metadata.name}`],
    events: schedulerEventsOf(pod, outcome.object),
  };
}

async function commitWaiting(
  registry: GuardedRegistry,
  pod: Pod,
  status: PodStatus,
  finding: Pick<PodCondition, 'reason' | 'message'>,
  nowMs: number,
): Promise<Partial<Committed>> {
  const conditions = withCondition(pod, { type: 'PodScheduled', status: 'False', ...finding }, nowMs);
  return await writeStatus(registry, pod, { ...status, phase: 'Pending', conditions });
}

/** Removes a less important pod: the condition says why, then the pod is deleted with its own grace period. */
async function evict(
  registry: GuardedRegistry,
  victim: Pod,
  preemptor: Pod,
  nodeName: string,
  nowMs: number,
): Promise<Partial<Committed>> {
  const { namespace = '', name, uid, deletionTimestamp } = victim.metadata;
  if (deletionTimestamp !== undefined) return {};
  const scheduler = preemptor.spec?.schedulerName ?? '';
  const message = `${scheduler}: preempting to accommodate a higher priority pod`;
  const target = { type: 'DisruptionTarget', status: 'True', reason: PREEMPTION_BY_SCHEDULER, message };
  const marked = await writeStatus(registry, victim, {
    ...victim.status,
    conditions: withCondition(victim, target, nowMs),
  });
  if (marked.mustReobserve) return marked;
  const outcome = await registry.delete<Pod>({ resource: 'pods', namespace, name }, { preconditions: { uid } });
  if (outcome.status === 'refused') return refused(outcome.error);
  const text = `Preempted by pod ${preemptor.metadata.uid} on node ${nodeName}`;
  return {
    writes: [...(marked.writes ?? []), `preempt pods ${namespacedName(victim)}`],
    events: [{ regarding: victim, type: 'Normal', reason: 'Preempted', message: text }],
  };
}

async function writeStatus(registry: GuardedRegistry, pod: Pod, status: PodStatus): Promise<Partial<Committed>> {
  if (jsonEqual(pod.status, status)) return {};
  const outcome = await registry.update<Pod>('pods', { ...pod, status }, { subresource: 'status', from: pod });
  if (outcome.status === 'refused') return refused(outcome.error);
  const events = schedulerEventsOf(pod, outcome.object);
  return { writes: [`status of pods ${namespacedName(pod)}`], events };
}

/** The pod's conditions with this one. Its time changes only with its status. */
function withCondition(pod: Pod, finding: Omit<PodCondition, 'lastTransitionTime'>, nowMs: number): PodCondition[] {
  const before = podConditionOf(pod, finding.type);
  const since = before?.status === finding.status ? before.lastTransitionTime : undefined;
  const others = pod.status?.conditions?.filter(({ type }) => type !== finding.type) ?? [];
  return [...others, { ...finding, lastTransitionTime: since ?? formatTime(nowMs) }];
}
