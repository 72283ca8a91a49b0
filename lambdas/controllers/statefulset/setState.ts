import type { Pod, StatefulSet } from '../../objects/kinds.ts';
import { isPodAvailable, isPodReady } from '../../objects/pods/podState.ts';
import { scaledValue } from '../../objects/quantities/scaledValue.ts';
import { getOrdinal } from './podIdentity.ts';

/** The number of pods that the set wants. Stored objects are defaulted, so only older data lacks the number. Pure. */
export function desiredReplicas({ spec }: StatefulSet): number {
  return spec?.replicas ?? 1;
}

/** `getStartOrdinal`: the ordinal of the set's first pod. Pure. */
export function getStartOrdinal({ spec }: StatefulSet): number {
  return spec?.ordinals?.start ?? 0;
}

/** `podInOrdinalRange`: whether the set wants a pod with this ordinal. Pure. */
export function isInOrdinalRange(set: StatefulSet, ordinal: number): boolean {
  const start = getStartOrdinal(set);
  return ordinal >= start && ordinal < start + desiredReplicas(set);
}

/** `allowsBurst`: whether pods are created and deleted without waiting for one another. Pure. */
export function allowsBurst({ spec }: StatefulSet): boolean {
  return spec?.podManagementPolicy === 'Parallel';
}

/** Seconds for which a pod must be ready before it counts as available. */
export function minReadySeconds({ spec }: StatefulSet): number {
  return spec?.minReadySeconds ?? 0;
}

/** How a set's pods get a new template; `undefined` if they get it only when they are deleted by others (OnDelete). */
export interface RollingUpdate {
  /** How many of the set's first pods keep the current revision. */
  readonly partition: number;
  readonly maxUnavailable: number;
}

/** Returns the bounds of the set's rolling update: `getStatefulSetMaxUnavailable` rounds percentages down, to 1 at least. Pure. */
export function rollingUpdateOf(set: StatefulSet): RollingUpdate | undefined {
  const { updateStrategy } = set.spec ?? {};
  if (updateStrategy?.type === 'OnDelete') return undefined;
  const { partition = 0, maxUnavailable = 1 } = updateStrategy?.rollingUpdate ?? {};
  return { partition, maxUnavailable: Math.max(1, scaledValue(maxUnavailable, desiredReplicas(set), Math.floor)) };
}

/** Pure. */
export function isTerminating({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Pure. */
export function isRunningAndReady(pod: Pod): boolean {
  return pod.status?.phase === 'Running' && isPodReady(pod);
}

/** Pure. */
export function isRunningAndAvailable(set: StatefulSet, pod: Pod, nowMs: number): boolean {
  return isPodAvailable(pod, minReadySeconds(set), nowMs);
}

/** `isUnavailable`: whether the pod counts against `maxUnavailable`, as a missing one does. Pure. */
export function isUnavailable(set: StatefulSet, pod: Pod, nowMs: number): boolean {
  return isTerminating(pod) || !isRunningAndAvailable(set, pod, nowMs);
}

/** True if the pod is one of those that the set wants. Pure. */
export function isWanted(set: StatefulSet, pod: Pod): boolean {
  return isInOrdinalRange(set, getOrdinal(pod));
}
