import type { Container, ContainerStateTerminated, ContainerStatus } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';

/** A short summary of a pod, as kubectl lists it. */
export interface PodSummary {
  readonly ready: number;
  readonly total: number;
  /** The phase, or a more specific reason: `CrashLoopBackOff`, `Init:0/1`, `Terminating`. */
  readonly reason: string;
  readonly restarts: number;
  /** The time at which a restarted container last ended; RFC 3339. */
  readonly lastRestartAt: string | undefined;
}

interface Init {
  /** Why the pod is still initializing; `undefined` when it is initialized. */
  readonly reason: string | undefined;
  readonly ready: number;
  readonly statuses: readonly ContainerStatus[];
  /** The sidecars, whose restarts still count when the pod is initialized. */
  readonly sidecars: readonly ContainerStatus[];
}

/** Kubernetes' reason for a pod whose node is unreachable. */
const NODE_LOST = 'NodeLost';

/** Summarizes the state of a pod's containers as Kubernetes' pod printer does. Pure. */
export function summarizePod(pod: Pod): PodSummary {
  const { spec, status } = pod;
  const init = initOf(pod);
  const sidecars = (spec?.initContainers ?? []).filter(isSidecar).length;
  const total = (spec?.containers ?? []).length + sidecars;
  const initialized = init.reason === undefined || hasTrueCondition(pod, 'Initialized');
  const containers = initialized ? (status?.containerStatuses ?? []) : [];
  const counted = initialized ? [...init.sidecars, ...containers] : init.statuses;
  const reason = initialized ? containersReason(pod, init.reason ?? baseReason(pod)) : (init.reason ?? '');
  return {
    ready: init.ready + containers.filter(isReadyAndRunning).length,
    total,
    reason: deletionReason(pod) ?? reason,
    restarts: counted.reduce((sum, { restartCount }) => sum + restartCount, 0),
    lastRestartAt: lastRestart(counted),
  };
}

function baseReason({ status }: Pod): string {
  const gated = status?.conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated');
  return gated ? 'SchedulingGated' : status?.reason || status?.phase || '';
}

/** Init containers run one after the other. The pod waits for the first that has not succeeded or, if it is a sidecar, has not started. */
function initOf({ spec, status }: Pod): Init {
  const declared = new Map((spec?.initContainers ?? []).map((container) => [container.name, container]));
  const all = status?.initContainerStatuses ?? [];
  const isSidecarStatus = ({ name }: ContainerStatus) => isSidecar(declared.get(name));
  const blocking = all.findIndex((one) => !hasSucceeded(one) && !(isSidecarStatus(one) && one.started));
  const passed = blocking < 0 ? all : all.slice(0, blocking);
  const statuses = blocking < 0 ? all : all.slice(0, blocking + 1);
  const blocked = blocking < 0 ? undefined : all[blocking];
  return {
    reason: blocked && initReason(blocked, blocking, declared.size),
    ready: passed.filter((one) => !hasSucceeded(one) && one.ready).length,
    statuses,
    sidecars: statuses.filter(isSidecarStatus),
  };
}

function initReason({ state }: ContainerStatus, index: number, total: number): string {
  if (state?.terminated) return `Init:${terminatedReason(state.terminated)}`;
  const waiting = state?.waiting?.reason;
  return waiting && waiting !== 'PodInitializing' ? `Init:${waiting}` : `Init:${index}/${total}`;
}

/** The reason of the first container that waits or has ended, or `base`. */
function containersReason(pod: Pod, base: string): string {
  const containers = pod.status?.containerStatuses ?? [];
  const reasons = containers.map(({ state }) => {
    if (state?.waiting?.reason) return state.waiting.reason;
    return state?.terminated && terminatedReason(state.terminated);
  });
  const reason = reasons.find(Boolean) ?? base;
  if (reason !== 'Completed' || !containers.some(isReadyAndRunning)) return reason;
  return hasTrueCondition(pod, 'Ready') ? 'Running' : 'NotReady';
}

function terminatedReason({ reason, signal, exitCode }: ContainerStateTerminated): string {
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

function deletionReason({ metadata, status }: Pod): string | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined;
  if (status?.reason === NODE_LOST) return 'Unknown';
  return status?.phase === 'Succeeded' || status?.phase === 'Failed' ? undefined : 'Terminating';
}

function lastRestart(statuses: readonly ContainerStatus[]): string | undefined {
  return statuses
    .flatMap(({ lastState }) => lastState?.terminated?.finishedAt ?? [])
    .sort()
    .at(-1);
}

function isSidecar(container: Container | undefined): boolean {
  return container?.restartPolicy === 'Always';
}

function hasSucceeded({ state }: ContainerStatus): boolean {
  return state?.terminated?.exitCode === 0;
}

function isReadyAndRunning({ ready, state }: ContainerStatus): boolean {
  return ready && state?.running !== undefined && !state.waiting && !state.terminated;
}

function hasTrueCondition({ status }: Pod, wanted: string): boolean {
  return (status?.conditions ?? []).some(({ type, status: value }) => type === wanted && value === 'True');
}
