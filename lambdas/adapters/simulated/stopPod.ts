import type { ContainerStatus, PodStatus } from 'kubernetes-types/core/v1.js';
import { isOfJob } from '../../objects/pods/jobPods.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { isPodTerminal } from '../../objects/pods/podState.ts';
import type { PodStep } from '../../ports/PodRuntime.ts';
import { lastPodStatus, statusWithEnded } from './podStatus.ts';
import type { PodScript } from './parsePodScript.ts';
import { KILLED, roleOfInit } from './stepContainers.ts';

/** The exit code of a process that SIGTERM ends. */
const TERMINATED = 143;

/**
 * Stops a pod gracefully: SIGTERM when its deletion is requested, SIGKILL when the grace period has passed, then the object is removed. Sidecars are told to end after the other containers have ended, one after the other, the
 * last one first. Until the first container has ended, the status stays as it is, including readiness. If they end at once, the status is not written again, unless a finalizer keeps the object. Pure.
 */
export function stopPod(pod: Pod, node: Node | undefined, { terminationDelayMs }: PodScript, nowMs: number): PodStep {
  const { deletionTimestamp = '', deletionGracePeriodSeconds = 0, finalizers = [] } = pod.metadata;
  const killAtMs = Date.parse(deletionTimestamp);
  const isHeld = finalizers.length > 0;
  const stoppedAtMs = killAtMs - deletionGracePeriodSeconds * 1000;
  const { ending, others, rank } = nextToEnd(pod, stoppedAtMs);
  if (ending.size > 0) {
    const endsAtMs = Math.min(stoppedAtMs + terminationDelayMs * (rank + 1), killAtMs);
    if (nowMs < endsAtMs) return { step: 'wait', nextAtMs: endsAtMs };
    const isKilled = !Number.isFinite(terminationDelayMs) || endsAtMs >= killAtMs;
    const exitCode = isKilled ? KILLED : endedBySigterm(pod);
    if (others && !isKilled && terminationDelayMs > 0)
      return { step: 'status', status: statusWithEnded(pod, node, { ending, exitCode }, nowMs) };
    if (isHeld || terminationDelayMs > 0) return { step: 'status', status: lastPodStatus(pod, node, exitCode, nowMs) };
  }
  if (isHeld && !isPodTerminal(pod)) return { step: 'status', status: neverRan(pod, node, nowMs) };
  // The containers have ended. If a finalizer holds the object, there is nothing left to do.
  return isHeld && deletionGracePeriodSeconds === 0 ? { step: 'wait' } : { step: 'remove' };
}

interface NextToEnd {
  /** The names of the running containers that end next; empty if none runs. */
  readonly ending: ReadonlySet<string>;
  /** Whether others run that end after them. */
  readonly others: boolean;
  /** How many groups of containers have ended since the pod is being stopped. */
  readonly rank: number;
}

/** Containers end in groups: all but the sidecars together, then the sidecars one by one, from the last to the first. */
function nextToEnd(pod: Pod, stoppedAtMs: number): NextToEnd {
  const statuses = isPodTerminal(pod) ? [] : statusesOf(pod);
  const sidecars = (pod.spec?.initContainers ?? []).filter((one) => roleOfInit(one) === 'sidecar');
  const names = new Set(sidecars.map(({ name }) => name));
  const groups = [
    statuses.filter(({ name }) => !names.has(name)),
    ...[...names].reverse().map((name) => statuses.filter((status) => status.name === name)),
  ];
  const hasEnded = ({ state }: ContainerStatus) => Date.parse(state?.terminated?.finishedAt ?? '') >= stoppedAtMs;
  const [first, ...later] = groups.map((group) => group.filter(isRunning)).filter((group) => group.length > 0);
  return {
    ending: new Set(first?.map(({ name }) => name)),
    others: later.length > 0,
    rank: groups.filter((group) => !group.some(isRunning) && group.some(hasEnded)).length,
  };
}

function statusesOf({ status }: Pod): readonly ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}

function isRunning({ state }: ContainerStatus): boolean {
  return state?.running !== undefined;
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
