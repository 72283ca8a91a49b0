import type { NodeCondition } from 'kubernetes-types/core/v1.js';
import type { Node } from '../kinds.ts';

const PROVIDER = 'driftless://';

/** Returns the `spec.providerID` of a simulated node. */
export function simulatedProviderId(nodeName: string): string {
  return `${PROVIDER}${nodeName}`;
}

/** Whether the node is one of ours, so that its pods are simulated. Every other node has a kubelet, which owns its pods: their status, their readiness and their removal. */
export function isSimulatedNode({ spec }: Node): boolean {
  return spec?.providerID?.startsWith(PROVIDER) === true;
}

/** What a healthy kubelet reports: type, status, reason, message. */
const HEALTHY = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const;

/** Returns the conditions that a healthy kubelet reports at that time, as RFC 3339. Pure. */
export function healthyConditions(time: string): readonly NodeCondition[] {
  return HEALTHY.map(([type, status, reason, message]) => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: time,
    lastTransitionTime: time,
  }));
}
