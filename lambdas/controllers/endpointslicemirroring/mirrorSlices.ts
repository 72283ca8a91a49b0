import type { EndpointAddress, EndpointPort as CorePort, EndpointSubset } from 'kubernetes-types/core/v1.js';
import type { Endpoint, EndpointPort } from 'kubernetes-types/discovery/v1.js';
import { isIPv6 } from 'node:net';
import type { NewObject } from '../../objects/KubernetesObject.ts';
import type { Endpoints } from '../endpoint/decideEndpoints.ts';
import {
  type EndpointGroup,
  type EndpointSlice,
  MANAGED_BY_LABEL,
  planSlices,
  SERVICE_NAME_LABEL,
  type SlicePlan,
} from '../endpointslice/planSlices.ts';

export const MIRRORED_BY = 'endpointslicemirroring-controller.k8s.io';
const SKIP_LABEL = 'endpointslice.kubernetes.io/skip-mirror';
const OWN_LABEL = 'endpoints.kubernetes.io/managed-by';
const LEADER_ANNOTATION = 'control-plane.alpha.kubernetes.io/leader';
const NOT_COPIED = [
  'endpoints.kubernetes.io/last-change-trigger-time',
  'kubectl.kubernetes.io/last-applied-configuration',
];
/** kube-controller-manager's `--mirroring-max-endpoints-per-subset`. */
const MAX_ADDRESSES = 1000;

/** True for Endpoints that somebody writes by hand. Those of the endpoints controller have slices already, and a record of an election is about no service. Pure. */
export function shouldMirror({ metadata: { labels = {}, annotations = {} } }: Endpoints): boolean {
  return (
    labels[SKIP_LABEL] !== 'true' && labels[OWN_LABEL] === undefined && annotations[LEADER_ANNOTATION] === undefined
  );
}

/** Decides the slices that show the same endpoints. Without endpoints there is one empty slice. Pure. */
export function mirrorSlices(endpoints: Endpoints, existing: readonly EndpointSlice[]): SlicePlan {
  const groups = new Map<string, EndpointGroup[]>();
  for (const subset of endpoints.subsets ?? [])
    for (const family of ['IPv4', 'IPv6']) {
      const members = membersOf(subset, family);
      if (members.length > 0) addGroup(groups, family, { ports: portsOf(subset), endpoints: members });
    }
  if (groups.size === 0) groups.set('IPv4', []);
  const { labels = {}, annotations = {} } = endpoints.metadata;
  const copied = Object.fromEntries(Object.entries(annotations).filter(([name]) => !NOT_COPIED.includes(name)));
  const own = { ...labels, [SERVICE_NAME_LABEL]: endpoints.metadata.name, [MANAGED_BY_LABEL]: MIRRORED_BY };
  const template = { labels: own, annotations: copied };
  return planSlices({ ...template, newSlice: (family) => newSlice(endpoints, family, template) }, groups, existing);
}

/** Subsets with the same ports share their slices. */
function addGroup(groups: Map<string, EndpointGroup[]>, family: string, { ports, endpoints }: EndpointGroup): void {
  const own = groups.get(family) ?? [];
  const key = JSON.stringify(ports);
  const at = own.findIndex((group) => JSON.stringify(group.ports) === key);
  const merged = { ports, endpoints: [...(own[at]?.endpoints ?? []), ...endpoints] };
  groups.set(family, at < 0 ? [...own, merged] : own.map((group, index) => (index === at ? merged : group)));
}

function membersOf({ addresses = [], notReadyAddresses = [] }: EndpointSubset, family: string): Endpoint[] {
  const all = [
    ...addresses.map((address) => endpointOf(address, true)),
    ...notReadyAddresses.map((address) => endpointOf(address, false)),
  ];
  return all.slice(0, MAX_ADDRESSES).filter(({ addresses: [ip = ''] }) => isIPv6(ip) === (family === 'IPv6'));
}

function endpointOf({ ip, nodeName, hostname, targetRef }: EndpointAddress, ready: boolean): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname && { hostname }),
    ...(targetRef && { targetRef }),
    ...(nodeName !== undefined && { nodeName }),
  };
}

function portsOf({ ports = [] }: EndpointSubset): EndpointPort[] {
  return ports.map(({ name = '', port, protocol = 'TCP', appProtocol }: CorePort) => ({
    name,
    port,
    protocol,
    ...(appProtocol !== undefined && { appProtocol }),
  }));
}

function newSlice(
  { metadata }: Endpoints,
  family: string,
  { labels, annotations }: { readonly labels: Record<string, string>; readonly annotations: Record<string, string> },
): NewObject {
  const { name, uid, namespace = '' } = metadata;
  const owner = { apiVersion: 'v1', kind: 'Endpoints', name, uid, controller: true, blockOwnerDeletion: true };
  const some = Object.keys(annotations).length > 0 && { annotations };
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { generateName: `${name}-`, namespace, labels, ...some, ownerReferences: [owner] },
    addressType: family,
  };
}
