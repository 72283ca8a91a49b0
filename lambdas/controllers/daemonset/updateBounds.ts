import { scaledValue } from '../../objects/quantities/scaledValue.ts';
import type { DaemonSet } from '../../objects/kinds.ts';

/** How far a rolling update may go at a time, in nodes. */
export interface UpdateBounds {
  /** So many nodes may have a new pod beside an old one that is available. 0: old pods are deleted first. */
  readonly maxSurge: number;
  /** So many nodes may be without an available pod. */
  readonly maxUnavailable: number;
  /** How many nodes should run a pod. */
  readonly desired: number;
}

/** True if the strategy is RollingUpdate. */
export function isRollingUpdate({ spec }: DaemonSet): boolean {
  return spec?.updateStrategy?.type === 'RollingUpdate';
}

/**
 * Resolves the bounds for so many nodes: `SurgeCount` and `UnavailableCount`. Percentages are rounded up: 25 % of 5 nodes are 2. If both come to 0, no pod could be replaced, so one node may be without an available pod. With
 * OnDelete both are 0. Pure.
 */
export function updateBounds(daemonSet: DaemonSet, desired: number): UpdateBounds {
  const { rollingUpdate } = daemonSet.spec?.updateStrategy ?? {};
  if (!isRollingUpdate(daemonSet)) return { maxSurge: 0, maxUnavailable: 0, desired };
  const maxSurge = scaledValue(rollingUpdate?.maxSurge, desired, Math.ceil);
  const unavailable = scaledValue(rollingUpdate?.maxUnavailable, desired, Math.ceil);
  const isStuck = desired > 0 && maxSurge === 0 && unavailable === 0;
  return { maxSurge, maxUnavailable: isStuck ? 1 : unavailable, desired };
}

/** True if a node may have a new pod beside an old one: `AllowsSurge`. */
export function allowsSurge(daemonSet: DaemonSet): boolean {
  return updateBounds(daemonSet, 1).maxSurge > 0;
}
