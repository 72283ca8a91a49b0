import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { isPodActive, isPodReady, podAvailableAtMs } from '../../../lambdas/objects/pods/podState.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';

/** How a write changed a pod as a replica of its owner. */
export interface PodChange {
  readonly before: Pod | undefined;
  readonly after: Pod | undefined;
  /** UIDs of its controller before and after. */
  readonly was: string | undefined;
  readonly is: string | undefined;
}

export function podChangeOf(change: Change): PodChange | undefined {
  if (change.resource !== 'pods') return undefined;
  const { before, after } = change as { before?: Pod; after?: Pod };
  return { before, after, was: before && controllerOf(before)?.uid, is: after && controllerOf(after)?.uid };
}

/** True if somebody asked for its deletion by this write. */
export function wasDeleted({ before, after }: PodChange): boolean {
  return before !== undefined && isPodActive(before) && (!after || after.metadata.deletionTimestamp !== undefined);
}

/** Ready for `minReadySeconds`, as seen by a clock that is `leniencyMs` ahead. */
export function isAvailable(pod: Pod, minReadySeconds: number, nowMs: number, leniencyMs: number): boolean {
  if (!isPodActive(pod) || !isPodReady(pod)) return false;
  return (podAvailableAtMs(pod, minReadySeconds) ?? Number.POSITIVE_INFINITY) <= nowMs + leniencyMs;
}
