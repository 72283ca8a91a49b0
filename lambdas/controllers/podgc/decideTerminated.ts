import type { Pod } from '../../objects/kinds.ts';
import { isPodTerminal } from '../../objects/pods/podState.ts';
import { stableInteger } from '../../objects/stableHash.ts';

/** kube-controller-manager's default of `--terminated-pod-gc-threshold`: how many pods that have ended stay. */
export const DEFAULT_TERMINATED_PODS = 12_500;
/** Pods are counted this many times while as many end as may stay. */
const COUNTS = 50;

/**
 * True if the pods that have ended are to be counted because this one has. Kubernetes counts all pods each 20 s; here every 250th pod that ends (with the default threshold) has them counted, so that idle pods cost
 * nothing, and about 2 % too many may stay. The pod's UID decides which one that is. A pod that is being deleted does not stay. Pure.
 */
export function asksForCount(before: Pod | undefined, pod: Pod, threshold: number): boolean {
  if (threshold <= 0 || !stays(pod) || (before && isPodTerminal(before))) return false;
  return stableInteger(pod.metadata.uid) % Math.max(1, Math.floor(threshold / COUNTS)) === 0;
}

/**
 * Decides which pods that have ended are deleted because there are more than the threshold: evicted ones first, then the oldest, as `gcTerminated`. Those that are being deleted already are not counted. Pure.
 */
export function decideTerminated(pods: readonly Pod[], threshold: number): readonly Pod[] {
  const ended = pods.filter(stays);
  if (threshold <= 0 || ended.length <= threshold) return [];
  return ended.toSorted(byEvictionAndCreation).slice(0, ended.length - threshold);
}

function stays(pod: Pod): boolean {
  return isPodTerminal(pod) && pod.metadata.deletionTimestamp === undefined;
}

function byEvictionAndCreation(one: Pod, other: Pod): number {
  const [left, right] = [orderOf(one), orderOf(other)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A text by which evicted pods come first, then the oldest, then the first by name. */
function orderOf({ metadata, status }: Pod): string {
  const isEvicted = status?.phase === 'Failed' && status.reason === 'Evicted';
  return `${isEvicted ? 0 : 1} ${metadata.creationTimestamp} ${metadata.name}`;
}
