import type { Container, ContainerStateTerminated, ContainerStatus } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';
import { pullPhaseAt, restartDelayMs } from './backoff.ts';
import { type ImageReference, parseImageReference } from './parseImageReference.ts';
import type { ContainerEnding, PodScript } from './parsePodScript.ts';
import type { Resize } from './decideResize.ts';
import { restartsToResize, withResources } from './resizeContainer.ts';
import { stableHex } from '../../objects/stableHash.ts';

/** One container of a pod at one moment, with everything that determines its next state. */
export interface ContainerRun {
  readonly pod: Pod;
  readonly container: Container;
  /** `init` runs to its end before the next one starts, `sidecar` is an init container that stays, `main` is a regular one, `ephemeral` one that a client added later. */
  readonly role: 'init' | 'sidecar' | 'main' | 'ephemeral';
  readonly script: PodScript;
  readonly resize: Resize;
  /** The container's status in the pod's status, if there is one. */
  readonly before: ContainerStatus | undefined;
  /** When the container may be started, in milliseconds since the epoch; `undefined` while it waits for init containers. */
  readonly mayStartAtMs: number | undefined;
  readonly nowMs: number;
  /** Why the container cannot be created now: an object is missing from which its variables are made. */
  readonly configError: string | undefined;
  /** Whether its node has the image, so that it need not be pulled. */
  readonly hasImage: boolean;
}

/** The reason of a container that cannot be created with the configuration that it has. */
export const CONFIG_ERROR = 'CreateContainerConfigError';

/** The container's status now, and the time of its next change without an event from outside. */
export interface ContainerStep {
  readonly status: ContainerStatus;
  readonly nextAtMs?: number;
}

/** Returns how a container with so many starts before ends if it is not stopped. */
function endingOf({ role, script }: ContainerRun, restartCount: number): ContainerEnding {
  switch (role) {
    case 'main':
      return restartCount < script.failures ? script.failing : script.ending;
    case 'init':
      return { afterMs: script.initDurationMs, exitCode: script.failInit ? 1 : 0 };
    case 'sidecar':
    case 'ephemeral':
      return { afterMs: undefined, exitCode: 0 };
  }
}

/** True if a kubelet starts the container again after this exit code. */
export function isRestarted({ pod, role }: Pick<ContainerRun, 'pod' | 'role'>, exitCode: number): boolean {
  const policy = pod.spec?.restartPolicy ?? 'Always';
  if (role === 'sidecar') return true;
  if (role === 'ephemeral') return false;
  if (role === 'init') return exitCode !== 0 && policy !== 'Never';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** Returns the container's next state as a kubelet reports it, one step at a time; the same status if nothing is due. Pure. */
export function stepContainer(run: ContainerRun): ContainerStep {
  const { before } = run;
  if (before?.state?.running) return stepRunning(run, before);
  const ended = before?.state?.terminated ?? before?.lastState?.terminated;
  return before && ended ? stepEnded(run, before, ended) : stepWaiting(run);
}

function stepWaiting(run: ContainerRun): ContainerStep {
  const { pod, container, mayStartAtMs, nowMs } = run;
  if (mayStartAtMs === undefined) return waiting(run, 'PodInitializing');
  if (nowMs < mayStartAtMs) {
    const reason = pod.spec?.initContainers?.length ? 'PodInitializing' : 'ContainerCreating';
    return waiting(run, reason, undefined, mayStartAtMs);
  }
  const image = container.image ?? '';
  const reference = parseImageReference(image);
  if ('error' in reference) {
    const why = `couldn't parse image name "${image}": ${reference.error}`;
    return waiting(run, 'InvalidImageName', `Failed to apply default image tag "${image}": ${why}`);
  }
  const { imagePullPolicy } = run.container;
  if (run.hasImage && imagePullPolicy !== 'Always') return create(run, reference, 0);
  if (imagePullPolicy === 'Never') {
    return waiting(run, 'ErrImageNeverPull', `Container image "${image}" is not present with pull policy of Never`);
  }
  return failsToPull(run, reference) ? waitForImage(run, reference, mayStartAtMs) : create(run, reference, 0);
}

/** True if the script says so, or for an image that no registry has: one tagged 404, or whose name contains `nonexistent`. */
function failsToPull({ script }: ContainerRun, { repository, tag }: ImageReference): boolean {
  return script.failPull || tag === '404' || repository.includes('nonexistent');
}

/** Starts the container if it can be created. A kubelet finds out after it has pulled the image. */
function create(run: ContainerRun, image: ImageReference, restartCount: number): ContainerStep {
  const error = run.configError ?? securityError(run.pod, run.container);
  if (error === undefined) return start(run, image, restartCount);
  const step = waiting(run, CONFIG_ERROR, error);
  const ended = run.before?.state?.terminated ?? run.before?.lastState?.terminated;
  return run.before && ended ? { status: heldBack(run.before, ended, CONFIG_ERROR, error) } : step;
}

function waitForImage(run: ContainerRun, { canonical }: ImageReference, sinceMs: number): ContainerStep {
  const cause = `rpc error: code = NotFound desc = failed to pull and unpack image "${canonical}": failed to resolve reference "${canonical}": ${canonical}: not found`;
  const { phase, untilMs } = pullPhaseAt(run.nowMs - sinceMs);
  if (phase === 'failing') return waiting(run, 'ErrImagePull', cause, sinceMs + untilMs);
  const message = `Back-off pulling image "${run.container.image ?? ''}": ErrImagePull: ${cause}`;
  return waiting(run, 'ImagePullBackOff', message, sinceMs + untilMs);
}

/** Starts the container. An init container that takes no time is never reported as running. */
function start(run: ContainerRun, image: ImageReference, restartCount: number): ContainerStep {
  const startedAt = formatTime(run.nowMs);
  const ended = run.before?.state?.terminated ?? run.before?.lastState?.terminated;
  const status: ContainerStatus = {
    name: run.container.name,
    state: { running: { startedAt } },
    lastState: ended ? { terminated: ended } : {},
    ready: false,
    restartCount,
    image: image.canonical,
    imageID: `${image.repository}@sha256:${stableHex('image', image.canonical)}`,
    containerID: `containerd://${stableHex(run.pod.metadata.uid, run.role, run.container.name, restartCount)}`,
    started: true,
    ...sizeOf(run.before),
  };
  const step = stepRunning(run, status);
  return run.role === 'init' && run.script.initDurationMs === 0
    ? step
    : { ...step, status: readied(run, withResources(run.pod, run.container, status, run.resize)) };
}

function stepRunning(run: ContainerRun, status: ContainerStatus): ContainerStep {
  const startedAtMs = Date.parse(status.state?.running?.startedAt ?? '');
  const { afterMs = Number.POSITIVE_INFINITY, exitCode } = endingOf(run, status.restartCount);
  const endsAtMs = startedAtMs + afterMs;
  if (run.nowMs >= endsAtMs) return { status: endContainer(status, exitCode, endsAtMs, run.role), nextAtMs: run.nowMs };
  if (restartsToResize(run.container, status, run.resize)) return restart(run, status);
  const ready = readied(run, withResources(run.pod, run.container, status, run.resize));
  const isWaitedFor = run.role === 'main' && !ready.ready && !run.script.neverReady;
  const readyAtMs = isWaitedFor ? startedAtMs + run.script.readyAfterMs : Number.POSITIVE_INFINITY;
  const nextAtMs = Math.min(endsAtMs, readyAtMs);
  return { status: ready, ...(Number.isFinite(nextAtMs) && { nextAtMs }) };
}

/** A container that starts again has what it had, until it is resized. */
function sizeOf({ resources, allocatedResources }: Partial<ContainerStatus> = {}): Partial<ContainerStatus> {
  return { ...(allocatedResources && { allocatedResources }), ...(resources && { resources }) };
}

/** Stops a container and starts it with its new resources. */
function restart(run: ContainerRun, before: ContainerStatus): ContainerStep {
  const { resources: _, ...status } = before;
  const reference = parseImageReference(run.container.image ?? '');
  if ('error' in reference) return { status };
  return start({ ...run, before: endContainer(status, 0, run.nowMs) }, reference, status.restartCount + 1);
}

/**
 * Returns the status with its readiness. Only regular containers have a readiness probe to wait for. A container that was ready stays ready, also for a worker whose clock is behind: times in a status
 * have whole seconds, so the status alone does not show that the delay is over.
 */
function readied({ role, script, nowMs }: ContainerRun, status: ContainerStatus): ContainerStatus {
  const startedAtMs = Date.parse(status.state?.running?.startedAt ?? '');
  const isDue = !script.neverReady && (status.ready || nowMs >= startedAtMs + script.readyAfterMs);
  return { ...status, ready: role === 'sidecar' || (role === 'main' && isDue) };
}

/** Returns the status of a running container that ends at `atMs`. An init container that succeeded counts as ready. Pure. */
export function endContainer(
  status: ContainerStatus,
  exitCode: number,
  atMs: number,
  role: ContainerRun['role'] = 'main',
): ContainerStatus {
  const terminated: ContainerStateTerminated = {
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    startedAt: status.state?.running?.startedAt ?? formatTime(atMs),
    finishedAt: formatTime(atMs),
    ...(status.containerID !== undefined && { containerID: status.containerID }),
  };
  const ready = role === 'init' && exitCode === 0;
  // An ephemeral container has no probes, so nobody says whether it has started.
  return { ...status, state: { terminated }, ready, ...(status.started !== undefined && { started: false }) };
}

function stepEnded(run: ContainerRun, status: ContainerStatus, ended: ContainerStateTerminated): ContainerStep {
  if (!isRestarted(run, ended.exitCode)) return { status };
  const [startedMs, finishedMs] = [Date.parse(ended.startedAt ?? ''), Date.parse(ended.finishedAt ?? '')];
  const delayMs = restartDelayMs(status.restartCount, finishedMs - startedMs);
  const reference = parseImageReference(run.container.image ?? '');
  if (run.nowMs >= finishedMs + delayMs && !('error' in reference))
    return create(run, reference, status.restartCount + 1);
  return { status: backingOff(run, status, ended, delayMs), nextAtMs: finishedMs + delayMs };
}

function backingOff(
  { pod, container }: ContainerRun,
  status: ContainerStatus,
  terminated: ContainerStateTerminated,
  delayMs: number,
): ContainerStatus {
  const { name, namespace = '', uid } = pod.metadata;
  const message = `back-off ${formatBackoff(delayMs)} restarting failed container=${container.name} pod=${name}_${namespace}(${uid})`;
  return heldBack(status, terminated, 'CrashLoopBackOff', message);
}

/** The status of a container that has ended and is not started again yet. */
function heldBack(
  status: ContainerStatus,
  terminated: ContainerStateTerminated,
  reason: string,
  message: string,
): ContainerStatus {
  return {
    ...status,
    state: { waiting: { reason, message } },
    lastState: { terminated },
    ready: false,
    started: false,
  };
}

/** Formats a duration as Go does: `40s`, `2m40s`, `5m0s`. */
function formatBackoff(ms: number): string {
  const seconds = ms / 1000;
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

function waiting(run: ContainerRun, reason: string, message?: string, nextAtMs?: number): ContainerStep {
  const { container, before } = run;
  const status: ContainerStatus = {
    name: container.name,
    state: { waiting: { reason, ...(message !== undefined && { message }) } },
    lastState: {},
    ready: false,
    restartCount: before?.restartCount ?? 0,
    image: container.image ?? '',
    imageID: '',
    started: false,
  };
  return { status, ...(nextAtMs !== undefined && { nextAtMs }) };
}

/**
 * Returns why a kubelet refuses to create the container: it must not run as root, and its spec says that it does (`verifyRunAsNonRoot`). Nobody knows the user of a simulated image, so a container whose
 * spec names no user passes. Pure.
 */
function securityError({ metadata, spec }: Pod, { name, securityContext }: Container): string | undefined {
  const { runAsNonRoot, runAsUser } = { ...spec?.securityContext, ...withoutAbsent(securityContext) };
  if (runAsNonRoot !== true || runAsUser !== 0) return undefined;
  const pod = `${metadata.name}_${metadata.namespace ?? ''}(${metadata.uid})`;
  return `container's runAsUser breaks non-root policy (pod: "${pod}", container: ${name})`;
}

function withoutAbsent({ runAsNonRoot, runAsUser }: NonNullable<Container['securityContext']> = {}) {
  return { ...(runAsNonRoot !== undefined && { runAsNonRoot }), ...(runAsUser !== undefined && { runAsUser }) };
}
