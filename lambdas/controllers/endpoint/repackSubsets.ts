import type { EndpointAddress, EndpointPort, EndpointSubset } from 'kubernetes-types/core/v1.js';

/** The port of one pod behind a service. Without a port, the address alone. */
export interface PodAddress {
  readonly address: EndpointAddress;
  readonly ready: boolean;
  readonly port?: EndpointPort;
}

/**
 * Groups addresses by the ports that they have: Kubernetes' `RepackSubsets`. Pods that give one port of a service different numbers are in different subsets. The subsets and
 * their addresses are sorted, so that equal endpoints make equal lists. Pure.
 */
export function repackSubsets(addresses: readonly PodAddress[]): EndpointSubset[] {
  const groups = new Map<string, { readonly ports: EndpointPort[]; readonly members: PodAddress[] }>();
  for (const { members, ports } of portsByAddress(addresses)) {
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, members: [] };
    group.members.push(...members);
    groups.set(key, group);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { ports, members }]) => subsetOf(members, ports));
}

/** Returns each address once for each readiness, with all ports that it has so. */
function portsByAddress(addresses: readonly PodAddress[]) {
  const byAddress = new Map<string, { members: PodAddress[]; ports: EndpointPort[] }>();
  for (const one of addresses) {
    const key = `${one.address.ip} ${one.address.targetRef?.uid} ${one.ready}`;
    const known = byAddress.get(key) ?? { members: [one], ports: [] };
    if (one.port) known.ports.push(one.port);
    byAddress.set(key, known);
  }
  return byAddress.values();
}

function subsetOf(members: readonly PodAddress[], ports: EndpointPort[]): EndpointSubset {
  const sorted = (ready: boolean) =>
    members
      .filter((member) => member.ready === ready)
      .map(({ address }) => address)
      .sort((a, b) => (a.ip < b.ip ? -1 : 1));
  const [addresses, notReadyAddresses] = [sorted(true), sorted(false)];
  return {
    ...(addresses.length > 0 && { addresses }),
    ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
    ...(ports.length > 0 && { ports }),
  };
}
