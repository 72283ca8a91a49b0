import type { ContainerStatus } from 'kubernetes-types/core/v1.js';
import type { Node, Pod } from '../../objects/kinds.ts';
import { isPodTerminal } from '../../objects/podState.ts';
import type { PodStep } from '../../ports/PodRuntime.ts';
import { lastPodStatus } from './podStatus.ts';
import { parsePodScript } from './parsePodScript.ts';

/** SIGKILL. */
const KILLED = 137;

/**
 * Graceful deletion: SIGTERM when it was asked for, SIGKILL when the grace period has passed, then the object goes. Until its containers have ended a pod's status stays as it
 * is, readiness too. A pod whose containers end at once is not reported again before it goes, unless a finalizer keeps the object. Pure.
 */
export function stopPod(pod: Pod, nodes: readonly Node[], nowMs: number): PodStep {
  const { deletionTimestamp = '', deletionGracePeriodSeconds = 0, finalizers = [] } = pod.metadata;
  const { terminationDelayMs } = parsePodScript(pod);
  const killAtMs = Date.parse(deletionTimestamp);
  const endsAtMs = Math.min(killAtMs - deletionGracePeriodSeconds * 1000 + terminationDelayMs, killAtMs);
  const isHeld = finalizers.length > 0;
  if (hasRunning(pod)) {
    if (nowMs < endsAtMs) return { step: 'wait', nextAtMs: endsAtMs };
    const exitCode = Number.isFinite(terminationDelayMs) && endsAtMs < killAtMs ? 0 : KILLED;
    if (isHeld || terminationDelayMs > 0) return { step: 'status', status: lastPodStatus(pod, nodes, exitCode, nowMs) };
  }
  // Nothing is left to do but to wait for whoever holds it.
  return isHeld && deletionGracePeriodSeconds === 0 ? { step: 'wait' } : { step: 'remove' };
}

function hasRunning(pod: Pod): boolean {
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const isRunning = ({ state }: ContainerStatus) => state?.running !== undefined;
  return !isPodTerminal(pod) && [...initContainerStatuses, ...containerStatuses].some(isRunning);
}
