import type { ContainerStatus, PodStatus } from 'kubernetes-types/core/v1.js';
import { isOfJob } from '../../objects/jobPods.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { isPodTerminal } from '../../objects/podState.ts';
import type { PodStep } from '../../ports/PodRuntime.ts';
import { lastPodStatus } from './podStatus.ts';
import type { PodScript } from './parsePodScript.ts';
import { KILLED } from './stepContainers.ts';

/** The exit code of a process that SIGTERM ends. */
const TERMINATED = 143;

/**
 * Stops a pod gracefully: SIGTERM when its deletion is requested, SIGKILL when the grace period has passed, then the object is removed. Until the containers have
 * ended, the status stays as it is, including readiness. If they end at once, the status is not written again, unless a finalizer keeps the object. Pure.
 */
export function stopPod(pod: Pod, node: Node | undefined, { terminationDelayMs }: PodScript, nowMs: number): PodStep {
  const { deletionTimestamp = '', deletionGracePeriodSeconds = 0, finalizers = [] } = pod.metadata;
  const killAtMs = Date.parse(deletionTimestamp);
  const endsAtMs = Math.min(killAtMs - deletionGracePeriodSeconds * 1000 + terminationDelayMs, killAtMs);
  const isHeld = finalizers.length > 0;
  if (hasRunning(pod)) {
    if (nowMs < endsAtMs) return { step: 'wait', nextAtMs: endsAtMs };
    const exitCode = Number.isFinite(terminationDelayMs) && endsAtMs < killAtMs ? endedBySigterm(pod) : KILLED;
    if (isHeld || terminationDelayMs > 0) return { step: 'status', status: lastPodStatus(pod, node, exitCode, nowMs) };
  }
  if (isHeld && !isPodTerminal(pod)) return { step: 'status', status: neverRan(pod, node, nowMs) };
  // The containers have ended. If a finalizer holds the object, there is nothing left to do.
  return isHeld && deletionGracePeriodSeconds === 0 ? { step: 'wait' } : { step: 'remove' };
}

/** A server ends well when it is told to. The work of a Job's pod is not done then, and must not count as done. */
function endedBySigterm(pod: Pod): number {
  return isOfJob(pod) ? TERMINATED : 0;
}

/** A finalizer holds a pod none of whose containers has started: it has failed, as kubelets and the garbage collector of pods say. */
function neverRan(pod: Pod, node: Node | undefined, nowMs: number): PodStatus {
  const status = pod.spec?.nodeName ? lastPodStatus(pod, node, KILLED, nowMs) : pod.status;
  return { ...status, phase: 'Failed' };
}

function hasRunning(pod: Pod): boolean {
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const isRunning = ({ state }: ContainerStatus) => state?.running !== undefined;
  return !isPodTerminal(pod) && [...initContainerStatuses, ...containerStatuses].some(isRunning);
}
