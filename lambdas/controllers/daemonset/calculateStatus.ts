import type { DaemonSetStatus } from 'kubernetes-types/apps/v1.js';
import { isPodReady, podAvailableAtMs } from '../../objects/pods/podState.ts';
import { type DaemonNode, type DaemonWorld, isAvailable, isPodUpdated } from './DaemonNodes.ts';

/** Returns the DaemonSet's status: the stored object itself if nothing changed. A node counts by the pod that has been there for longest. Kubernetes' `updateDaemonSetStatus` also writes it. Pure. */
export function calculateStatus(world: DaemonWorld): DaemonSetStatus {
  const { metadata, status } = world.daemonSet;
  const existing = world.nodes.filter(({ exists }) => exists);
  const desired = existing.filter(({ shouldRun }) => shouldRun);
  const first = desired.flatMap(({ pods }) => pods.slice(0, 1));
  const available = first.filter((pod) => isAvailable(world, pod)).length;
  const updated = first.filter((pod) => isPodUpdated(pod, world.hash)).length;
  const unavailable = desired.length - available;
  const next: DaemonSetStatus = {
    currentNumberScheduled: first.length,
    numberMisscheduled: existing.filter(isMisscheduled).length,
    desiredNumberScheduled: desired.length,
    numberReady: first.filter(isPodReady).length,
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
    ...(updated > 0 && { updatedNumberScheduled: updated }),
    ...(available > 0 && { numberAvailable: available }),
    ...(unavailable > 0 && { numberUnavailable: unavailable }),
    ...(world.collisionCount !== undefined && { collisionCount: world.collisionCount }),
    ...(status?.conditions && { conditions: status.conditions }),
  };
  return status && COUNTS.every((field) => (status[field] ?? 0) === (next[field] ?? 0)) ? status : next;
}

const COUNTS = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
] as const;

function isMisscheduled({ shouldRun, pods }: DaemonNode): boolean {
  return !shouldRun && pods.length > 0;
}

/** Returns the milliseconds until the next ready pod becomes available, or `undefined` if no pod is about to. Pure. */
export function nextAvailableInMs(world: DaemonWorld): number | undefined {
  const minReadySeconds = world.daemonSet.spec?.minReadySeconds ?? 0;
  const delays = world.nodes
    .flatMap(({ pods }) => pods.filter((pod) => !isAvailable(world, pod)))
    .map((pod) => (podAvailableAtMs(pod, minReadySeconds) ?? Number.NEGATIVE_INFINITY) - world.nowMs)
    .filter((delayMs) => delayMs > 0);
  return delays.length > 0 ? delays.reduce((least, delayMs) => Math.min(least, delayMs)) : undefined;
}
