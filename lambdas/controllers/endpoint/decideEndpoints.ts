import type {
  EndpointAddress,
  EndpointPort,
  Endpoints as ApiEndpoints,
  ServicePort,
} from 'kubernetes-types/core/v1.js';
import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject, NewObject, Stored } from '../../objects/KubernetesObject.ts';
import type { Pod, Service } from '../../objects/kinds.ts';
import { isPodReady } from '../../objects/pods/podState.ts';
import {
  addressOf,
  findPort,
  hostnameOf,
  isHeadless,
  selectsPod,
  shouldPodBeInEndpoints,
  targetRefOf,
} from './podEndpoint.ts';
import { type PodAddress, repackSubsets } from './repackSubsets.ts';

export type Endpoints = Stored<ApiEndpoints>;

const HEADLESS_LABEL = 'service.kubernetes.io/headless';
const MANAGED_BY_LABEL = 'endpoints.kubernetes.io/managed-by';
const OVER_CAPACITY_ANNOTATION = 'endpoints.kubernetes.io/over-capacity';
/** The largest number of addresses in one Endpoints object. */
const CAPACITY = 1000;

export type EndpointsDecision =
  | { readonly decision: 'keep' }
  | { readonly decision: 'create'; readonly object: NewObject }
  | { readonly decision: 'update'; readonly object: Endpoints; readonly from: Endpoints };

/** Decides what the Endpoints of a service must be, as Kubernetes' `syncService` of the endpoints controller. Pure. */
export function decideEndpoints(
  service: Service,
  pods: readonly Pod[],
  current: Endpoints | undefined,
): EndpointsDecision {
  const addresses = pods.flatMap((pod) => addressesOf(service, pod));
  const kept = truncate(addresses);
  const subsets = repackSubsets(kept);
  const labels = labelsOf(service);
  const annotations = annotationsOf(current, kept.length < addresses.length);
  const { name, namespace = '' } = service.metadata;
  const metadata = { name, namespace, labels, ...(annotations && { annotations }) };
  if (!current) {
    return { decision: 'create', object: { apiVersion: 'v1', kind: 'Endpoints', metadata, ...content(subsets) } };
  }
  const isRight =
    jsonEqual(current.subsets ?? [], subsets) &&
    jsonEqual(current.metadata.labels ?? {}, labels) &&
    jsonEqual(current.metadata.annotations, annotations);
  if (isRight) return { decision: 'keep' };
  const { subsets: _subsets, ...rest } = current;
  const { annotations: _annotations, ...oldMetadata } = current.metadata;
  return {
    decision: 'update',
    object: { ...rest, metadata: { ...oldMetadata, ...metadata }, ...content(subsets) },
    from: current,
  };
}

function content(subsets: ApiEndpoints['subsets']): Pick<ApiEndpoints, 'subsets'> {
  return subsets && subsets.length > 0 ? { subsets } : {};
}

function addressesOf(service: Service, pod: Pod): PodAddress[] {
  const tolerant = service.spec?.publishNotReadyAddresses === true;
  if (!selectsPod(service, pod.metadata.labels) || !shouldPodBeInEndpoints(pod, tolerant)) return [];
  const ip = addressOf(pod, service.spec?.ipFamilies?.[0] ?? 'IPv4');
  if (ip === undefined) return [];
  const address: EndpointAddress = {
    ip,
    ...hostnameOf(pod, service),
    ...(pod.spec?.nodeName && { nodeName: pod.spec.nodeName }),
    targetRef: targetRefOf(pod),
  };
  const ready = tolerant || isPodReady(pod);
  const ports = service.spec?.ports ?? [];
  // A headless service needs no ports: DNS answers with the addresses alone.
  if (ports.length === 0) return isHeadless(service) ? [{ address, ready }] : [];
  return ports.flatMap((port) => portOf(pod, port).map((found) => ({ address, ready, port: found })));
}

function portOf(pod: Pod, servicePort: ServicePort): EndpointPort[] {
  const port = findPort(pod, servicePort);
  if (port === undefined) return [];
  const { name = '', protocol = 'TCP', appProtocol } = servicePort;
  return [{ ...(name !== '' && { name }), port, protocol, ...(appProtocol !== undefined && { appProtocol }) }];
}

/** Ready addresses are kept first. */
function truncate(addresses: readonly PodAddress[]): readonly PodAddress[] {
  const ips = new Set(addresses.map(({ address }) => address.ip));
  if (ips.size <= CAPACITY) return addresses;
  const ordered = [...addresses.filter(({ ready }) => ready), ...addresses.filter(({ ready }) => !ready)];
  const kept = new Set([...new Set(ordered.map(({ address }) => address.ip))].slice(0, CAPACITY));
  return addresses.filter(({ address }) => kept.has(address.ip));
}

function labelsOf(service: Service): Record<string, string> {
  const { [HEADLESS_LABEL]: _headless, ...labels } = service.metadata.labels ?? {};
  return { ...labels, [MANAGED_BY_LABEL]: 'endpoint-controller', ...(isHeadless(service) && { [HEADLESS_LABEL]: '' }) };
}

function annotationsOf(current: KubernetesObject | undefined, isTruncated: boolean) {
  const { [OVER_CAPACITY_ANNOTATION]: _truncated, ...others } = current?.metadata.annotations ?? {};
  const annotations = { ...others, ...(isTruncated && { [OVER_CAPACITY_ANNOTATION]: 'truncated' }) };
  return Object.keys(annotations).length > 0 ? annotations : undefined;
}
