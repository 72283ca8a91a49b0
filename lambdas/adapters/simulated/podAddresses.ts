import type { PodStatus } from 'kubernetes-types/core/v1.js';
import type { Node, Pod } from '../../objects/kinds.ts';
import { stableInteger } from './stableHash.ts';

/** Where the pod is: its node's address, and its own once it has a network. Both stay what they were. Pure. */
export function podAddresses(
  pod: Pod,
  nodes: readonly Node[],
  hasSandbox: boolean,
): Pick<PodStatus, 'hostIP' | 'hostIPs' | 'podIP' | 'podIPs'> {
  const nodeName = pod.spec?.nodeName ?? '';
  const node = nodes.find(({ metadata }) => metadata.name === nodeName);
  const address = node?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
  const hostIP = pod.status?.hostIP ?? address ?? madeUpAddress('172.18', nodeName);
  const host = { hostIP, hostIPs: [{ ip: hostIP }] };
  if (!hasSandbox) return host;
  const podIP = pod.status?.podIP ?? (pod.spec?.hostNetwork ? hostIP : podAddress(pod.metadata.uid));
  return { ...host, podIP, podIPs: [{ ip: podIP }] };
}

function madeUpAddress(network: string, seed: string): string {
  const hash = stableInteger(seed);
  return `${network}.${(hash >>> 8) & 0xff}.${1 + (hash % 254)}`;
}

/** One of four million in 10.192.0.0/10, by the pod's UID. */
function podAddress(uid: string): string {
  const hash = stableInteger('ip', uid);
  return `10.${192 + ((hash >>> 16) & 0x3f)}.${(hash >>> 8) & 0xff}.${1 + ((hash >>> 22) % 254)}`;
}
