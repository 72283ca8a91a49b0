import type { ContainerStatus, PodStatus } from 'kubernetes-types/core/v1.js';
import { jsonEqual } from '../../objects/json.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { CLOCK_WAS_SET_BACK_MS, isPodTerminal } from '../../objects/pods/podState.ts';
import { isResizing } from '../../objects/pods/podResize.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { MissingObjects, PodRuntime, PodStep, PodSurroundings } from '../../ports/PodRuntime.ts';
import { CONFIG_RETRIES, MOUNT_RETRIES, nextAttemptMs, type Retries } from './backoff.ts';
import { decideResize } from './decideResize.ts';
import { type Obstacles, observeObstacles } from './observeObstacles.ts';
import { type PodScript, parsePodScript } from './parsePodScript.ts';
import { uninitialized } from './podPhase.ts';
import { lastPodStatus, podStatus } from './podStatus.ts';
import { CONFIG_ERROR } from './stepContainer.ts';
import { type ContainersStep, KILLED, stepContainers } from './stepContainers.ts';
import { stopPod } from './stopPod.ts';

/** The conditions whose times the runtime writes. Others may be written with any time by anybody. */
const OWN_CONDITIONS = new Set([
  'PodScheduled',
  'PodReadyToStartContainers',
  'Initialized',
  'ContainersReady',
  'Ready',
]);

/**
 * Simulates kubelets: it runs nothing, and writes the statuses that a kubelet would write. A pod that has a node runs and is ready
 * at once, unless its annotations or its images' names ask for something else (see `parsePodScript`). The runtime keeps no state: a pod's past is in the
 * pod's status, so another process can continue. Times in a status have whole seconds, and so have the times derived from them.
 *
 * Two workers' clocks differ, and a clock may step. So a pod's time never goes back: it is at least the latest time that the pod itself names, and what the pod has reached (readiness, its network,
 * the end of a container) stays reached.
 */
export class SimulatedPodRuntime implements PodRuntime {
  async next(pod: Pod, node: Node | undefined, nowMs: number, around: PodSurroundings = {}): Promise<PodStep> {
    const obstacles = await observeObstacles(pod, around.references);
    return nextPodStep(pod, { node, neighbours: around.neighbours ?? [], obstacles }, nowMs);
  }
}

/** What the simulated kubelet knows beyond the pod itself. */
interface Surroundings {
  readonly node: Node | undefined;
  readonly neighbours: readonly Pod[];
  readonly obstacles: Obstacles;
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

function runPod(pod: Pod, around: Surroundings, script: PodScript, nowMs: number): PodStep {
  const { node, neighbours, obstacles } = around;
  const startTime = pod.status?.startTime ?? formatTime(nowMs);
  const startedAtMs = Date.parse(startTime);
  const deadlineMs = startedAtMs + (pod.spec?.activeDeadlineSeconds ?? Number.POSITIVE_INFINITY) * 1000;
  if (nowMs >= deadlineMs) return statusStep(pod, exceededDeadline(pod, node, nowMs), undefined);
  const isMounted = obstacles.mountErrors.length === 0;
  const createAtMs = isMounted ? startedAtMs + script.startDelayMs : Number.POSITIVE_INFINITY;
  const resize = decideResize(pod, node, neighbours);
  const { configErrors } = obstacles;
  const { nextAtMs, ...containers } = stepContainers(pod, { script, resize, createAtMs, configErrors, node }, nowMs);
  const hasSandbox = nowMs >= createAtMs || pod.status?.podIP !== undefined;
  const status = podStatus(
    pod,
    node,
    { ...containers, startTime, hasSandbox, problems: script.problems, resize },
    nowMs,
  );
  const retries = retriesOf(obstacles, containers);
  const wakesMs = [
    deadlineMs,
    nextAtMs,
    resize.step === 'pending' && resize.reason === 'Deferred' ? nowMs + DEFERRED_RETRY_MS : undefined,
    retries && startedAtMs + nextAttemptMs(nowMs - startedAtMs, retries),
  ];
  const missing = retries && { mountErrors: obstacles.mountErrors };
  return statusStep(pod, status, earliest(wakesMs), missing);
}

/** How the pod is tried again that waits for objects of others; `undefined` if it waits for none. */
function retriesOf({ mountErrors, configErrors }: Obstacles, containers: ContainersStep): Retries | undefined {
  if (mountErrors.length > 0) return MOUNT_RETRIES;
  const all = [...containers.initStatuses, ...containers.statuses, ...containers.ephemeralStatuses];
  const isWaiting = all.some(({ name, state }) => configErrors.has(name) && state?.waiting?.reason === CONFIG_ERROR);
  return isWaiting ? CONFIG_RETRIES : undefined;
}

function earliest(timesMs: readonly (number | undefined)[]): number | undefined {
  const knownMs = timesMs.filter((one) => one !== undefined).filter(Number.isFinite);
  return knownMs.length > 0 ? Math.min(...knownMs) : undefined;
}

function exceededDeadline(pod: Pod, node: Node | undefined, nowMs: number): PodStatus {
  const { containerStatuses = [], ...status } = lastPodStatus(pod, node, KILLED, nowMs);
  return {
    ...status,
    containerStatuses: isInitialized(pod) ? containerStatuses.map(withoutStart) : containerStatuses,
    phase: 'Failed',
    reason: 'DeadlineExceeded',
    message: 'Pod was active on the node longer than the specified deadline',
  };
}

function isInitialized(pod: Pod): boolean {
  return uninitialized(pod, pod.status?.initContainerStatuses ?? []).length === 0;
}

/** What a kubelet says of a container that it looks for when the pod ends (`TerminatePod`), and that was never started. */
function withoutStart(status: ContainerStatus): ContainerStatus {
  if (!status.state?.waiting || status.lastState?.terminated) return status;
  const message = 'The container could not be located when the pod was terminated';
  return { ...status, state: { terminated: { reason: 'ContainerStatusUnknown', message, exitCode: KILLED } } };
}

function statusStep(pod: Pod, status: PodStatus, nextAtMs: number | undefined, missing?: MissingObjects): PodStep {
  const rest = { ...(nextAtMs !== undefined && { nextAtMs }), ...(missing && { missing }) };
  if (jsonEqual(pod.status, status)) return { step: 'wait', ...rest };
  const isSettled = nextAtMs === undefined && !missing && runsAsAsked(pod, status);
  return { step: 'status', status, ...rest, ...(isSettled && { isSettled }) };
}

/** True if the pod is ready and nothing is left to be done in it, as of most pods of a rollout. Of other pods, which take more than one step, no more is known before the step is taken. */
function runsAsAsked(pod: Pod, status: PodStatus): boolean {
  const isReady = status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
  return status.phase === 'Running' && isReady === true && !pod.spec?.ephemeralContainers && !isResizing(pod);
}

/**
 * Returns the latest time that the pod names as past: the transitions of its own conditions, the starts and ends of its containers, and the request to delete it. Milliseconds since the epoch; 0 if the
 * pod names no time. A clock that reads an earlier time is behind the one that wrote it. Pure.
 */
function latestPodTimeMs({ metadata, status }: Pod): number {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  const containers = [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
  const times = [
    status?.startTime,
    ...(status?.conditions ?? []).map(({ type, lastTransitionTime }) =>
      OWN_CONDITIONS.has(type) ? lastTransitionTime : undefined,
    ),
    ...containers.flatMap(pastTimesOf),
  ];
  const knownMs = times.map((time) => Date.parse(time ?? '')).filter(Number.isFinite);
  const deletedMs = Date.parse(deletionTimestamp ?? '') - deletionGracePeriodSeconds * 1000;
  return Math.max(0, ...knownMs, ...(Number.isFinite(deletedMs) ? [deletedMs] : []));
}

function pastTimesOf({ state, lastState }: ContainerStatus): (string | undefined)[] {
  return [state?.running?.startedAt, state?.terminated?.finishedAt, lastState?.terminated?.finishedAt];
}
