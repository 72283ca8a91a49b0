import type { ContainerStatus } from 'kubernetes-types/core/v1.js';
import { indexFailuresOf } from '../../objects/pods/jobPods.ts';
import type { Job, Pod } from '../../objects/kinds.ts';
import { podConditionOf } from '../../objects/pods/podState.ts';

/** Kubernetes' DefaultJobPodFailureBackOff and MaxJobPodFailureBackOff. */
const FIRST_BACKOFF_MS = 10_000;
const MAX_BACKOFF_MS = 600_000;

/** True if a pod is replaced only when it has ended, and not as soon as it is being deleted: Kubernetes' function of this name. */
export function onlyReplaceFailedPods({ spec }: Job): boolean {
  return spec?.podReplacementPolicy === 'Failed' || spec?.podFailurePolicy !== undefined;
}

/** True if the pod counts as failed. A pod that is being deleted does too, unless only failed pods are replaced: it may never reach the phase Failed. */
export function isPodFailed(job: Job, { metadata, status }: Pod): boolean {
  if (status?.phase === 'Failed') return true;
  if (onlyReplaceFailedPods(job)) return false;
  return metadata.deletionTimestamp !== undefined && status?.phase !== 'Succeeded';
}

/**
 * Returns when the pod finished, in milliseconds since the epoch: the end of its last container, or else the time at which it became unready, or at which its deletion was requested, or its creation. Kubernetes'
 * `getFinishedTime`. Pure.
 */
export function getFinishedTime(pod: Pod): number {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = pod.metadata;
  const ready = podConditionOf(pod, 'Ready');
  const times = [
    latestEndMs(pod),
    ready?.status === 'False' ? Date.parse(ready.lastTransitionTime ?? '') : Number.NaN,
    Date.parse(deletionTimestamp ?? '') - deletionGracePeriodSeconds * 1000,
    Date.parse(creationTimestamp),
  ];
  return times.find((timeMs) => !Number.isNaN(timeMs)) ?? 0;
}

/** NaN while a container that counts has not ended. Sidecars end after the regular containers. */
function latestEndMs({ spec, status }: Pod): number {
  const sidecars = new Set(
    spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const counted = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)),
  ];
  const endOf = ({ state }: ContainerStatus) => Date.parse(state?.terminated?.finishedAt ?? '');
  return counted.length === 0 ? Number.NaN : Math.max(...counted.map(endOf));
}

/** The failures since the last success, by which the next pod is delayed. */
export interface BackoffRecord {
  readonly failures: number;
  /** Milliseconds since the epoch. */
  readonly lastFailureMs: number;
}

/**
 * Returns the failures after the last success, of the pods that a Job has. Kubernetes adds them up in the memory of its controller (`newBackoffRecord`), and forgets them when that starts again. A pod that failed because it
 * was deleted is soon gone: `vanished` is the record of those (see `vanishedFailures`). Pure.
 */
export function backoffRecordOf(pods: readonly Pod[], vanished: BackoffRecord | undefined): BackoffRecord {
  const lastSuccessMs = lastSuccessOf(pods);
  const failuresMs = pods
    .filter(({ metadata, status }) => status?.phase === 'Failed' && metadata.deletionTimestamp === undefined)
    .map(getFinishedTime)
    .filter((timeMs) => timeMs > lastSuccessMs);
  return {
    failures: failuresMs.length + (vanished?.failures ?? 0),
    lastFailureMs: latest([...failuresMs, vanished?.lastFailureMs ?? Number.NEGATIVE_INFINITY]),
  };
}

/** Returns the record of the pods that failed because they were deleted: those `before`, and those that are about to be counted. `undefined` if no pod has since the last success. Pure. */
export function vanishedFailures(
  pods: readonly Pod[],
  newlyFailed: readonly Pod[],
  before: BackoffRecord | undefined,
): BackoffRecord | undefined {
  const lastSuccessMs = lastSuccessOf(pods);
  const kept = before && before.lastFailureMs > lastSuccessMs ? before : undefined;
  const addedMs = newlyFailed
    .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
    .map(getFinishedTime)
    .filter((timeMs) => timeMs > lastSuccessMs);
  if (addedMs.length === 0) return kept;
  const lastFailureMs = latest([...addedMs, kept?.lastFailureMs ?? Number.NEGATIVE_INFINITY]);
  return { failures: (kept?.failures ?? 0) + addedMs.length, lastFailureMs };
}

function lastSuccessOf(pods: readonly Pod[]): number {
  return latest(pods.filter(({ status }) => status?.phase === 'Succeeded').map(getFinishedTime));
}

function latest(timesMs: readonly number[]): number {
  return timesMs.reduce((last, timeMs) => Math.max(last, timeMs), Number.NEGATIVE_INFINITY);
}

/** Returns how long the next pod has to wait; milliseconds. 10 s after the first failure, doubled by each more, at most 10 min: `getRemainingTimeForFailuresCount`. Pure. */
export function remainingBackoffMs({ failures, lastFailureMs }: BackoffRecord, nowMs: number): number {
  if (failures === 0) return 0;
  const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS);
  // A failure in the future was reported before the clock was set back.
  return Math.min(backoffMs, Math.max(0, backoffMs - (nowMs - lastFailureMs)));
}

/** Returns how long the next pod of an index has to wait after this failed one: `getRemainingTimePerIndex`. Pure. */
export function remainingBackoffOfIndexMs(lastFailed: Pod | undefined, nowMs: number): number {
  if (!lastFailed) return 0;
  const { counted, ignored } = indexFailuresOf(lastFailed);
  return remainingBackoffMs({ failures: counted + ignored + 1, lastFailureMs: getFinishedTime(lastFailed) }, nowMs);
}
