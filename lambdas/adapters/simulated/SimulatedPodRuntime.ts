import type { PodStatus } from 'kubernetes-types/core/v1.js';
import { jsonEqual } from '../../objects/json.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { CLOCK_WAS_SET_BACK_MS, isPodTerminal } from '../../objects/podState.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { PodRuntime, PodStep } from '../../ports/PodRuntime.ts';
import { decideResize } from './decideResize.ts';
import { latestPodTimeMs } from './latestPodTime.ts';
import { type PodScript, parsePodScript } from './parsePodScript.ts';
import { lastPodStatus, podStatus } from './podStatus.ts';
import { KILLED, stepContainers } from './stepContainers.ts';
import { stopPod } from './stopPod.ts';

/**
 * Simulates kubelets: it runs nothing, and writes the statuses that a kubelet would write. A pod that has a node runs and is ready
 * at once, unless its annotations or its images' names ask for something else (see `parsePodScript`). The runtime keeps no state: a pod's past is in the
 * pod's status, so another process can continue. Times in a status have whole seconds, and so have the times derived from them.
 *
 * Two workers' clocks differ, and a clock may step. So a pod's time never goes back: it is at least the latest time that the pod itself names, and what the pod has reached (readiness, its network,
 * the end of a container) stays reached.
 */
export class SimulatedPodRuntime implements PodRuntime {
  async next(pod: Pod, node: Node | undefined, nowMs: number, neighbours: readonly Pod[] = []): Promise<PodStep> {
    return nextPodStep(pod, { node, neighbours }, nowMs);
  }
}

/** What the simulated kubelet knows beyond the pod itself. */
interface Surroundings {
  readonly node: Node | undefined;
  readonly neighbours: readonly Pod[];
}

/** Returns what a kubelet would write next for the pod. Pure. */
function nextPodStep(pod: Pod, around: Surroundings, clockMs: number): PodStep {
  const { node } = around;
  const latestMs = latestPodTimeMs(pod);
  const nowMs = Math.max(clockMs, latestMs);
  const script = latestMs - clockMs > CLOCK_WAS_SET_BACK_MS ? withoutDelays(parsePodScript(pod)) : parsePodScript(pod);
  if (pod.metadata.deletionTimestamp !== undefined) return stopPod(pod, node, script, nowMs);
  if (isPodTerminal(pod)) return { step: 'wait' };
  return runPod(pod, around, script, nowMs);
}

/** For a pod that waited when the clock was set back. */
function withoutDelays(script: PodScript): PodScript {
  return { ...script, startDelayMs: 0, readyAfterMs: 0, initDurationMs: 0, terminationDelayMs: 0 };
}

/** A resize that waits for other pods is tried again after this time. */
const DEFERRED_RETRY_MS = 60_000;

function runPod(pod: Pod, { node, neighbours }: Surroundings, script: PodScript, nowMs: number): PodStep {
  const startTime = pod.status?.startTime ?? formatTime(nowMs);
  const startedAtMs = Date.parse(startTime);
  const deadlineMs = startedAtMs + (pod.spec?.activeDeadlineSeconds ?? Number.POSITIVE_INFINITY) * 1000;
  if (nowMs >= deadlineMs) return statusStep(pod, exceededDeadline(pod, node, nowMs), undefined);
  const createAtMs = startedAtMs + script.startDelayMs;
  const resize = decideResize(pod, node, neighbours);
  const { nextAtMs, ...containers } = stepContainers(pod, { script, resize, createAtMs }, nowMs);
  const hasSandbox = nowMs >= createAtMs || pod.status?.podIP !== undefined;
  const status = podStatus(
    pod,
    node,
    { ...containers, startTime, hasSandbox, problems: script.problems, resize },
    nowMs,
  );
  const retryAtMs = resize.step === 'pending' && resize.reason === 'Deferred' ? nowMs + DEFERRED_RETRY_MS : undefined;
  const wakesMs = [deadlineMs, nextAtMs, retryAtMs].filter((one) => one !== undefined).filter(Number.isFinite);
  return statusStep(pod, status, wakesMs.length > 0 ? Math.min(...wakesMs) : undefined);
}

function exceededDeadline(pod: Pod, node: Node | undefined, nowMs: number): PodStatus {
  return {
    ...lastPodStatus(pod, node, KILLED, nowMs),
    phase: 'Failed',
    reason: 'DeadlineExceeded',
    message: 'Pod was active on the node longer than the specified deadline',
  };
}

function statusStep(pod: Pod, status: PodStatus, nextAtMs: number | undefined): PodStep {
  const wake = nextAtMs === undefined ? {} : { nextAtMs };
  return jsonEqual(pod.status, status) ? { step: 'wait', ...wake } : { step: 'status', status, ...wake };
}
