import type { Node } from './kinds.ts';

const PROVIDER = 'driftless://';

/** Returns the `spec.providerID` of a simulated node. */
export function simulatedProviderId(nodeName: string): string {
  return `${PROVIDER}${nodeName}`;
}

/** Whether the node is one of ours, so that its pods are simulated. Every other node has a kubelet, which owns its pods: their status, their readiness and their removal. */
export function isSimulatedNode({ spec }: Node): boolean {
  return spec?.providerID?.startsWith(PROVIDER) === true;
}
