import type { Node, Pod } from '../../objects/kinds.ts';
import { isNodeReady, NODE_TAINTS } from '../../objects/nodes/nodeState.ts';
import { withPodCondition } from '../../objects/pods/podConditions.ts';
import { isPodTerminal } from '../../objects/pods/podState.ts';
import { formatTime } from '../../ports/Clock.ts';

/** Kubernetes' quarantine: a node that was deleted may be registered again, and then its pods are still there. */
export const QUARANTINE_MS = 40_000;

/** A pod that is to be deleted without a grace period, and the pod as it is written before. */
export interface CollectedPod {
  readonly pod: Pod;
  readonly marked: Pod;
}

const ORPHANED = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByPodGC',
  message: 'PodGC: node no longer exists',
} as const;

/** True for a node whose pods may be deleted without their kubelet: it is not ready, and an operator vouches that nothing runs there. Pure. */
export function isOutOfService(node: Node): boolean {
  return !isNodeReady(node) && (node.spec?.taints ?? []).some(({ key }) => key === NODE_TAINTS.outOfService);
}

/**
 * Decides which pods are deleted because nobody else can: all pods of a node that does not exist, as `gcOrphaned`, and those of a node out of service that are being deleted, as `gcTerminating`. `node`: undefined if it
 * does not exist. A pod that is younger than the quarantine is left alone, since its node may be about to be registered. Pure.
 */
export function decideCollection(node: Node | undefined, pods: readonly Pod[], nowMs: number): readonly CollectedPod[] {
  if (!node)
    return pods.filter((pod) => ageMs(pod, nowMs) >= QUARANTINE_MS).map((pod) => ({ pod, marked: failed(pod, nowMs) }));
  if (!isOutOfService(node)) return [];
  return pods
    .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
    .map((pod) => ({ pod, marked: failed(pod) }));
}

/** Decides whether a pod is deleted because it is being deleted and never got a node, so that no kubelet ends it. Its finalizers may keep it; that it has failed lets their owners remove them. Pure. */
export function decideUnscheduled(pod: Pod | undefined): readonly CollectedPod[] {
  if (!pod || pod.metadata.deletionTimestamp === undefined || pod.spec?.nodeName || isPodTerminal(pod)) return [];
  return [{ pod, marked: failed(pod) }];
}

function ageMs({ metadata }: Pod, nowMs: number): number {
  return nowMs - Date.parse(metadata.creationTimestamp);
}

/** Nobody else would write that the pod has ended. `orphanedAtMs`: when it was found that its node is gone; absent for other pods. */
function failed(pod: Pod, orphanedAtMs?: number): Pod {
  if (isPodTerminal(pod)) return pod;
  const marked = orphanedAtMs === undefined ? pod : withPodCondition(pod, ORPHANED, formatTime(orphanedAtMs));
  return { ...marked, status: { ...marked.status, phase: 'Failed' } };
}
