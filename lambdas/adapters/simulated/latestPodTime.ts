import type { ContainerStatus } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';

/** The conditions whose times the runtime writes. Others may be written with any time by anybody. */
const OWN_CONDITIONS = new Set([
  'PodScheduled',
  'PodReadyToStartContainers',
  'Initialized',
  'ContainersReady',
  'Ready',
]);

/**
 * Returns the latest time that the pod names as past: the transitions of its own conditions, the starts and ends of its containers, and the request to delete it. Milliseconds since the epoch; 0 if the
 * pod names no time. A clock that reads an earlier time is behind the one that wrote it. Pure.
 */
export function latestPodTimeMs({ metadata, status }: Pod): number {
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
