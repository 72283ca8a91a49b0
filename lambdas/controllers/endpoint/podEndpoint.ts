import type { ContainerPort, ServicePort } from 'kubernetes-types/core/v1.js';
import { jsonEqual, mapsEqual } from '../../objects/json.ts';
import type { Pod, Service } from '../../objects/kinds.ts';
import { isPodReady, isPodTerminal } from '../../objects/pods/podState.ts';

/** True if the pod has an address that a service may send to: Kubernetes' `ShouldPodBeInEndpoints`. */
export function shouldPodBeInEndpoints(pod: Pod, includeTerminating: boolean): boolean {
  if (isPodTerminal(pod) || !pod.status?.podIP) return false;
  return includeTerminating || pod.metadata.deletionTimestamp === undefined;
}

/** The address of a pod of one family. */
export function addressOf(pod: Pod, family: string): string | undefined {
  const all = pod.status?.podIPs?.map(({ ip }) => ip) ?? [pod.status?.podIP];
  return all.find((ip) => ip !== undefined && ip.includes(':') === (family === 'IPv6'));
}

/** Returns the number of the port that a service's port means in this pod, or `undefined` if it has no port of that name: Kubernetes' `FindPort`. */
export function findPort(pod: Pod, { targetPort, port, protocol = 'TCP' }: ServicePort): number | undefined {
  if (typeof targetPort !== 'string') return targetPort || port;
  const named = portsOf(pod).find((one) => one.name === targetPort && (one.protocol ?? 'TCP') === protocol);
  return named?.containerPort;
}

function portsOf({ spec }: Pod): ContainerPort[] {
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...(spec?.containers ?? []), ...sidecars].flatMap(({ ports = [] }) => ports);
}

/** The name under which DNS finds this pod of a headless service: Kubernetes' `ShouldSetHostname`. */
export function hostnameOf({ spec }: Pod, service: Service): { hostname?: string } {
  return spec?.hostname && spec.subdomain === service.metadata.name ? { hostname: spec.hostname } : {};
}

/** Names the pod behind an address. */
export function targetRefOf({ metadata: { namespace = '', name, uid } }: Pod) {
  return { kind: 'Pod', namespace, name, uid };
}

/** True for a service without an address of its own, whose clients see the pods' addresses. */
export function isHeadless({ spec }: Service): boolean {
  return spec?.clusterIP === 'None';
}

/** True if a controller fills the endpoints of this service: it selects pods, and is no alias. */
export function hasSelector({ spec }: Service): boolean {
  return spec?.type !== 'ExternalName' && Object.keys(spec?.selector ?? {}).length > 0;
}

/** True if the service's selector selects the pod. */
export function selectsPod({ spec }: Service, labels: Readonly<Record<string, string>> = {}): boolean {
  return Object.entries(spec?.selector ?? {}).every(([key, value]) => labels[key] === value);
}

/** True if endpoints show the same of both pods. */
export function showSame(a: Pod, b: Pod): boolean {
  const isTerminating = ({ metadata }: Pod) => metadata.deletionTimestamp !== undefined;
  return (
    isPodReady(a) === isPodReady(b) &&
    isTerminating(a) === isTerminating(b) &&
    a.spec?.nodeName === b.spec?.nodeName &&
    a.spec?.hostname === b.spec?.hostname &&
    a.spec?.subdomain === b.spec?.subdomain &&
    mapsEqual(a.metadata.labels, b.metadata.labels) &&
    jsonEqual(a.status?.podIPs, b.status?.podIPs)
  );
}
