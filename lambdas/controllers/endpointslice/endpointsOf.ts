import type { Endpoint, EndpointPort } from 'kubernetes-types/discovery/v1.js';
import type { Pod, Service } from '../../objects/kinds.ts';
import { isPodReady } from '../../objects/pods/podState.ts';
import {
  addressOf,
  findPort,
  hostnameOf,
  selectsPod,
  shouldPodBeInEndpoints,
  targetRefOf,
} from '../endpoint/podEndpoint.ts';
import type { EndpointGroup } from './planSlices.ts';

/** Returns the endpoints of a service for one family of addresses, by the ports that they have. Pods that are being deleted stay in, and are not ready. Pure. */
export function endpointsOf(service: Service, pods: readonly Pod[], family: string): EndpointGroup[] {
  const groups = new Map<string, { ports: EndpointPort[]; endpoints: Endpoint[] }>();
  for (const pod of pods) {
    if (!selectsPod(service, pod.metadata.labels) || !shouldPodBeInEndpoints(pod, true)) continue;
    const address = addressOf(pod, family);
    if (address === undefined) continue;
    const ports = portsOf(service, pod);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, endpoints: [] };
    group.endpoints.push(endpointOf(service, pod, address));
    groups.set(key, group);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

/** Kubernetes' `podToEndpoint`. */
function endpointOf(service: Service, pod: Pod, address: string): Endpoint {
  const serving = isPodReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  return {
    addresses: [address],
    conditions: { ready, serving, terminating },
    ...hostnameOf(pod, service),
    ...(pod.spec?.nodeName && { nodeName: pod.spec.nodeName }),
    targetRef: targetRefOf(pod),
  };
}

/** Kubernetes' `getEndpointPorts`. A port that the pod has no number for is left out. */
function portsOf({ spec }: Service, pod: Pod): EndpointPort[] {
  return (spec?.ports ?? []).flatMap((servicePort) => {
    const port = findPort(pod, servicePort);
    if (port === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = servicePort;
    return [{ name, port, protocol, ...(appProtocol !== undefined && { appProtocol }) }];
  });
}
