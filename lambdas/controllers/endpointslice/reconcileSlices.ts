import type { Endpoint, EndpointPort, EndpointSlice as ApiEndpointSlice } from 'kubernetes-types/discovery/v1.js';
import { jsonEqual } from '../../objects/json.ts';
import type { NewObject, Stored } from '../../objects/KubernetesObject.ts';
import type { Pod, Service } from '../../objects/kinds.ts';
import { isHeadless } from '../endpoint/podEndpoint.ts';
import { type EndpointGroup, endpointsOf } from './endpointsOf.ts';

export type EndpointSlice = Stored<ApiEndpointSlice>;

export const SERVICE_NAME_LABEL = 'kubernetes.io/service-name';
export const MANAGED_BY_LABEL = 'endpointslice.kubernetes.io/managed-by';
export const MANAGED_BY = 'endpointslice-controller.k8s.io';
const HEADLESS_LABEL = 'service.kubernetes.io/headless';
/** kube-controller-manager's `--max-endpoints-per-slice`. */
const MAX_ENDPOINTS = 100;

/** What is to be written, in this order: a pod is in one slice too many for a moment rather than in none. */
export interface SlicePlan {
  readonly create: readonly NewObject[];
  readonly update: readonly { readonly from: EndpointSlice; readonly object: EndpointSlice }[];
  readonly remove: readonly EndpointSlice[];
}

/**
 * Decides the slices of a service, as Kubernetes' `reconcile`. An endpoint stays in its slice. New endpoints fill the slices that have room, and then slices of their own. A slice without endpoints is
 * removed, except that a service always has one slice for each family of addresses. Pure.
 */
export function reconcileSlices(service: Service, pods: readonly Pod[], existing: readonly EndpointSlice[]): SlicePlan {
  const families = service.spec?.ipFamilies ?? ['IPv4'];
  const plans = families.map((family) =>
    reconcileFamily(
      service,
      family,
      endpointsOf(service, pods, family),
      existing.filter(({ addressType }) => addressType === family),
    ),
  );
  const strangers = existing.filter(({ addressType }) => !families.includes(addressType));
  return {
    create: plans.flatMap(({ create }) => create),
    update: plans.flatMap(({ update }) => update),
    remove: [...plans.flatMap(({ remove }) => remove), ...strangers],
  };
}

function reconcileFamily(
  service: Service,
  family: string,
  groups: readonly EndpointGroup[],
  existing: readonly EndpointSlice[],
): SlicePlan {
  const wanted = groups.flatMap((group) => fillSlices(group, existing));
  const kept = new Map(wanted.flatMap((one) => (one.slice ? [[one.slice, one] as const] : [])));
  const [spare, ...rest] = existing.filter((slice) => !kept.has(slice));
  if (wanted.length > 0) return planOf(service, family, wanted, spare ? [spare, ...rest] : rest);
  // The one slice of a service without endpoints has no ports either.
  return planOf(service, family, [{ slice: spare, ports: [], endpoints: [] }], rest);
}

/** A slice as it should be; without `slice` it is new. */
interface WantedSlice {
  readonly slice: EndpointSlice | undefined;
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

/** Spreads the endpoints of one group over the slices with its ports: Kubernetes' `reconcileByPortMapping`. */
function fillSlices({ ports, endpoints }: EndpointGroup, existing: readonly EndpointSlice[]): WantedSlice[] {
  const left = new Map(endpoints.map((endpoint) => [identityOf(endpoint), endpoint]));
  const slices = existing
    .filter((slice) => jsonEqual(slice.ports ?? [], ports))
    .map((slice) => ({ slice, endpoints: takeKnown(slice, left) }));
  const news = [...left.values()];
  for (const { endpoints: members } of slices) {
    if (members.length > 0) members.push(...news.splice(0, Math.max(0, MAX_ENDPOINTS - members.length)));
  }
  for (const { endpoints: members } of slices) {
    if (members.length === 0) members.push(...news.splice(0, MAX_ENDPOINTS));
  }
  const filled = slices.filter(({ endpoints: members }) => members.length > 0).map((one) => ({ ...one, ports }));
  const chunks = Array.from({ length: Math.ceil(news.length / MAX_ENDPOINTS) }, (_, index) =>
    news.slice(index * MAX_ENDPOINTS, (index + 1) * MAX_ENDPOINTS),
  );
  return [...filled, ...chunks.map((members) => ({ slice: undefined, ports, endpoints: members }))];
}

/** Takes the endpoints that the slice has already, as they are now, in its order. */
function takeKnown(slice: EndpointSlice, left: Map<string, Endpoint>): Endpoint[] {
  return (slice.endpoints ?? []).flatMap((endpoint) => {
    const identity = identityOf(endpoint);
    const known = left.get(identity);
    left.delete(identity);
    return known ? [known] : [];
  });
}

/** An endpoint is a pod at an address. */
function identityOf({ addresses, targetRef }: Endpoint): string {
  return `${targetRef?.uid} ${addresses.join()}`;
}

function planOf(
  service: Service,
  family: string,
  wanted: readonly WantedSlice[],
  remove: readonly EndpointSlice[],
): SlicePlan {
  const labels = labelsOf(service);
  const create = wanted
    .filter(({ slice }) => !slice)
    .map(({ ports, endpoints }) => ({ ...newSlice(service, family, labels), endpoints, ports }));
  const update = wanted.flatMap(({ slice, ports, endpoints }) => {
    if (!slice) return [];
    const object = { ...slice, metadata: { ...slice.metadata, labels }, endpoints, ports } as EndpointSlice;
    return isSame(slice, object) ? [] : [{ from: slice, object }];
  });
  return { create, update, remove };
}

function isSame(slice: EndpointSlice, wanted: EndpointSlice): boolean {
  return (
    jsonEqual(slice.endpoints ?? [], wanted.endpoints) &&
    jsonEqual(slice.ports ?? [], wanted.ports) &&
    jsonEqual(slice.metadata.labels, wanted.metadata.labels)
  );
}

function newSlice(service: Service, family: string, labels: Record<string, string>): NewObject {
  const { name, uid, namespace = '' } = service.metadata;
  const owner = { apiVersion: 'v1', kind: 'Service', name, uid, controller: true, blockOwnerDeletion: true };
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { generateName: `${name}-`, namespace, labels, ownerReferences: [owner] },
    addressType: family,
  };
}

/** The labels of the service, and those by which clients find its slices. */
function labelsOf(service: Service): Record<string, string> {
  const { [HEADLESS_LABEL]: _headless, ...labels } = service.metadata.labels ?? {};
  return {
    ...labels,
    [MANAGED_BY_LABEL]: MANAGED_BY,
    [SERVICE_NAME_LABEL]: service.metadata.name,
    ...(isHeadless(service) && { [HEADLESS_LABEL]: '' }),
  };
}
