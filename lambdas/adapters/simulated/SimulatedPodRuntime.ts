import type { PodStatus } from 'kubernetes-types/core/v1.js';
import { jsonEqual } from '../../objects/json.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { CLOCK_WAS_SET_BACK_MS, isPodTerminal } from '../../objects/podState.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { PodRuntime, PodStep } from '../../ports/PodRuntime.ts';
import { chooseNode } from './chooseNode.ts';
import { stamp } from './kubeletConditions.ts';
import { latestPodTimeMs } from './latestPodTime.ts';
import { type PodScript, parsePodScript } from './parsePodScript.ts';
import { lastPodStatus, podStatus } from './podStatus.ts';
import { KILLED, stepContainers } from './stepContainers.ts';
import { stopPod } from './stopPod.ts';

/**
 * Simulates pods: it runs nothing, and writes the statuses that a scheduler and a kubelet would write. A pod is bound to a node that fits, then runs and is ready
 * at once, unless its annotations or its images' names ask for something else (see `parsePodScript`). The runtime keeps no state: a pod's past is in the
 * pod's status, so another process can continue. Times in a status have whole seconds, and so have the times derived from them.
 *
 * Two workers' clocks differ, and a clock may step. So a pod's time never goes back: it is at least the latest time that the pod itself names, and what the pod has reached (readiness, its network,
 * the end of a container) stays reached.
 */
export class SimulatedPodRuntime implements PodRuntime {
  async next(pod: Pod, nodes: readonly Node[], nowMs: number): Promise<PodStep> {
    return nextPodStep(pod, nodes, nowMs);
  }
}

const DEFAULT_SCHEDULER = 'default-scheduler';

/** Returns what a scheduler or a kubelet would write next for the pod. Pure. */
function nextPodStep(pod: Pod, nodes: readonly Node[], clockMs: number): PodStep {
  const latestMs = latestPodTimeMs(pod);
  const nowMs = Math.max(clockMs, latestMs);
  const script = latestMs - clockMs > CLOCK_WAS_SET_BACK_MS ? withoutDelays(parsePodScript(pod)) : parsePodScript(pod);
  if (pod.metadata.deletionTimestamp !== undefined) return stopPod(pod, nodes, script, nowMs);
  if (isPodTerminal(pod)) return { step: 'wait' };
  return pod.spec?.nodeName ? runPod(pod, nodes, script, nowMs) : schedulePod(pod, nodes, nowMs);
}

/** For a pod that waited when the clock was set back. */
function withoutDelays(script: PodScript): PodScript {
  return { ...script, startDelayMs: 0, readyAfterMs: 0, initDurationMs: 0, terminationDelayMs: 0 };
}

function schedulePod(pod: Pod, nodes: readonly Node[], nowMs: number): PodStep {
  if ((pod.spec?.schedulerName ?? DEFAULT_SCHEDULER) !== DEFAULT_SCHEDULER) return { step: 'wait' };
  if (pod.spec?.schedulingGates?.length)
    return unscheduled(pod, 'SchedulingGated', 'Scheduling is blocked due to non-empty scheduling gates', nowMs);
  const choice = chooseNode(pod, nodes);
  if ('nodeName' in choice) return { step: 'bind', nodeName: choice.nodeName };
  return unscheduled(pod, 'Unschedulable', choice.why, nowMs);
}

/** Sets the condition of a pod that waits for its scheduling gates to be removed, or for the nodes to change. */
function unscheduled(pod: Pod, reason: string, message: string, nowMs: number): PodStep {
  const condition = stamp(pod, { type: 'PodScheduled', status: 'False', reason, message }, nowMs);
  const others = pod.status?.conditions?.filter(({ type }) => type !== 'PodScheduled') ?? [];
  return statusStep(pod, { ...pod.status, phase: 'Pending', conditions: [...others, condition] }, undefined);
}

function runPod(pod: Pod, nodes: readonly Node[], script: PodScript, nowMs: number): PodStep {
  const startTime = pod.status?.startTime ?? formatTime(nowMs);
  const startedAtMs = Date.parse(startTime);
  const deadlineMs = startedAtMs + (pod.spec?.activeDeadlineSeconds ?? Number.POSITIVE_INFINITY) * 1000;
  if (nowMs >= deadlineMs) return statusStep(pod, exceededDeadline(pod, nodes, nowMs), undefined);
  const createAtMs = startedAtMs + script.startDelayMs;
  const { nextAtMs, ...containers } = stepContainers(pod, script, createAtMs, nowMs);
  const hasSandbox = nowMs >= createAtMs || pod.status?.podIP !== undefined;
  const status = podStatus(pod, nodes, { ...containers, startTime, hasSandbox, problems: script.problems }, nowMs);
  const wakesMs = [deadlineMs, ...(nextAtMs === undefined ? [] : [nextAtMs])].filter(Number.isFinite);
  return statusStep(pod, status, wakesMs.length > 0 ? Math.min(...wakesMs) : undefined);
}

function exceededDeadline(pod: Pod, nodes: readonly Node[], nowMs: number): PodStatus {
  return {
    ...lastPodStatus(pod, nodes, KILLED, nowMs),
    phase: 'Failed',
    reason: 'DeadlineExceeded',
    message: 'Pod was active on the node longer than the specified deadline',
  };
}

function statusStep(pod: Pod, status: PodStatus, nextAtMs: number | undefined): PodStep {
  const wake = nextAtMs === undefined ? {} : { nextAtMs };
  return jsonEqual(pod.status, status) ? { step: 'wait', ...wake } : { step: 'status', status, ...wake };
}
