import type { ContainerStatus } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import { configurationLines, endingCause } from './logStory.ts';

/** One line that a container has written, without its line break. */
export interface LogLine {
  readonly atMs: number;
  readonly text: string;
}

/** The log of one run of a container. */
export type ContainerLog =
  | {
      readonly status: 'found';
      /** Names the run: a restarted container has another ID. */
      readonly containerId: string;
      readonly lines: readonly LogLine[];
      /** True while the container runs, so that lines may follow. */
      readonly isOpen: boolean;
    }
  /** There is no log, for a reason in a kubelet's words. */
  | { readonly status: 'unavailable'; readonly why: string };

/** One run of a container, as a pod's status tells of it. */
interface ContainerRun {
  readonly containerID?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly exitCode?: number;
  readonly reason?: string;
}

const ANNOTATION = 'simulate.driftless.dev/log';
/** Reasons for which a kubelet says more than their name. */
const WAITING_TEXTS: Readonly<Record<string, string>> = {
  ErrImagePull: "image can't be pulled",
  ImagePullBackOff: 'trying and failing to pull image',
};

/**
 * Returns the log of a simulated container: that it started and with which configuration, the lines of the annotation `simulate.driftless.dev/log`, why it ended, and how. It is made from the pod's status alone, so it needs no place of its
 * own, and every process answers the same. `previous`: of the run before the last restart. Pure.
 */
export function simulatedLog(pod: Pod, container: string, previous: boolean): ContainerLog {
  const status = statusesOf(pod).find(({ name }) => name === container);
  const named = `container ${JSON.stringify(container)} in pod ${JSON.stringify(pod.metadata.name)}`;
  if (!status) return { status: 'unavailable', why: `${named} is not available` };
  const run = previous ? status.lastState?.terminated : currentRun(status);
  if (run?.containerID !== undefined) return logOf(pod, status, run);
  if (previous) return { status: 'unavailable', why: `previous terminated ${named} not found` };
  const reason = status.state?.waiting?.reason ?? '';
  return { status: 'unavailable', why: `${named} is waiting to start: ${WAITING_TEXTS[reason] ?? reason}` };
}

function statusesOf({ status }: Pod): readonly ContainerStatus[] {
  return [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
}

/** A container that waits to be restarted still has the log of its last run. */
function currentRun({ containerID, state, lastState }: ContainerStatus): ContainerRun | undefined {
  if (state?.running) return { ...(containerID !== undefined && { containerID }), ...state.running };
  return state?.terminated ?? lastState?.terminated;
}

function logOf(pod: Pod, { name, image }: ContainerStatus, run: ContainerRun): ContainerLog {
  const startedAtMs = Date.parse(run.startedAt ?? '');
  const written = pod.metadata.annotations?.[ANNOTATION]?.replace(/\n$/, '').split('\n') ?? [];
  const begun = [`${name} started with image ${image} (simulated)`, ...configurationLines(pod, name), ...written];
  return {
    status: 'found',
    containerId: run.containerID ?? '',
    lines: [...begun.map((text) => ({ atMs: startedAtMs, text })), ...lastLines(pod, name, run)],
    isOpen: run.exitCode === undefined,
  };
}

/** Why the container ended, and how. */
function lastLines(pod: Pod, name: string, { exitCode, finishedAt, reason }: ContainerRun): readonly LogLine[] {
  if (exitCode === undefined) return [];
  const atMs = Date.parse(finishedAt ?? '');
  const cause = endingCause(pod, name, { exitCode, finishedMs: atMs });
  const ended = `${name} ended with exit code ${exitCode}${reason === undefined ? '' : ` (${reason})`}`;
  return [...(cause === undefined ? [] : [cause]), ended].map((text) => ({ atMs, text }));
}
