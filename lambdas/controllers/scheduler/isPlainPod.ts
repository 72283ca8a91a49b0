import type { PodSpec } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import { isPodTerminal, podConditionOf } from '../../objects/pods/podState.ts';
import { hostPortsOf } from './framework/HostPort.ts';
import { diskOf } from './framework/Disk.ts';

export const DEFAULT_SCHEDULER = 'default-scheduler';

/** Whether the pod is one for our scheduler: it has no node, and it asks for no other scheduler. Pure. */
export function isPending(pod: Pod): boolean {
  const { nodeName, schedulerName } = pod.spec ?? {};
  if (nodeName || (schedulerName ?? DEFAULT_SCHEDULER) !== DEFAULT_SCHEDULER) return false;
  return !isPodTerminal(pod) && pod.metadata.deletionTimestamp === undefined;
}

/**
 * Whether nothing but the node itself and its room decide if the pod may run there: it takes no port and no volume of its own, and says nothing about other pods. Where the nodes have room without bound for what it requests,
 * such a pod is bound by the sync that starts it, without a look at other pods (see `choosePlainNode`). One that has waited before is left to the scheduler. Pure.
 */
export function isPlainPod(pod: Pod): boolean {
  const spec = pod.spec ?? { containers: [] };
  return !hasWaited(pod) && hostPortsOf(spec).length === 0 && !constrainsNodes(spec);
}

function hasWaited(pod: Pod): boolean {
  return podConditionOf(pod, 'PodScheduled') !== undefined || pod.status?.nominatedNodeName !== undefined;
}

function constrainsNodes({ affinity, topologySpreadConstraints, schedulingGates, volumes, resourceClaims }: PodSpec) {
  const { podAffinity, podAntiAffinity, nodeAffinity } = affinity ?? {};
  const prefers = (nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).length > 0;
  const lists = [topologySpreadConstraints, schedulingGates, resourceClaims];
  return (
    podAffinity !== undefined ||
    podAntiAffinity !== undefined ||
    prefers ||
    lists.some((list) => (list?.length ?? 0) > 0) ||
    volumes?.some((volume) => volume.persistentVolumeClaim ?? volume.ephemeral ?? diskOf(volume)) === true
  );
}
