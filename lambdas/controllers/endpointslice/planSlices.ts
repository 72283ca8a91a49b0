import type { Endpoint, EndpointPort, EndpointSlice as ApiEndpointSlice } from 'kubernetes-types/discovery/v1.js';
import { jsonEqual } from '../../objects/json.ts';
import type { NewObject, Stored } from '../../objects/KubernetesObject.ts';

export type EndpointSlice = Stored<ApiEndpointSlice>;

export const SERVICE_NAME_LABEL = 'kubernetes.io/service-name';
export const MANAGED_BY_LABEL = 'endpointslice.kubernetes.io/managed-by';
/** kube-controller-manager's `--max-endpoints-per-slice`. */
const MAX_ENDPOINTS = 100;

/** The endpoints that have the same ports. */
export interface EndpointGroup {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

/** What all slices of one service have. */
export interface SliceTemplate {
  readonly labels: Readonly<Record<string, string>>;
  /** Absent: annotations are left as they are. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Makes a slice for this family of addresses, without its endpoints and ports. */
  newSlice(family: string): NewObject;
}

/** What is to be written, in this order: a pod is in one slice too many for a moment rather than in none. */
export interface SlicePlan {
  readonly create: readonly NewObject[];
  readonly update: readonly { readonly from: EndpointSlice; readonly object: EndpointSlice }[];
  readonly remove: readonly EndpointSlice[];
}

/**
 * Decides the slices for endpoints of some families of addresses, as Kubernetes' `reconcile`. An endpoint stays in its slice. New endpoints fill the slices that have room, and then slices of their own.
 * A slice without endpoints is removed, except that each family always has one slice. Pure.
 */
export function planSlices(
  template: SliceTemplate,
  groups: ReadonlyMap<string, readonly EndpointGroup[]>,
  existing: readonly EndpointSlice[],
): SlicePlan {
  const plans = [...groups].map(([family, own]) =>
    reconcileFamily(
      template,
      family,
      own,
      existing.filter(({ addressType }) => addressType === family),
    ),
  );
  const strangers = existing.filter(({ addressType }) => !groups.has(addressType));
  return {
    create: plans.flatMap(({ create }) => create),
    update: plans.flatMap(({ update }) => update),
    remove: [...plans.flatMap(({ remove }) => remove), ...strangers],
  };
}

function reconcileFamily(
  template: SliceTemplate,
  family: string,
  groups: readonly EndpointGroup[],
  existing: readonly EndpointSlice[],
): SlicePlan {
  const wanted = groups.flatMap((group) => fillSlices(group, existing));
  const kept = new Map(wanted.flatMap((one) => (one.slice ? [[one.slice, one] as const] : [])));
  const [spare, ...rest] = existing.filter((slice) => !kept.has(slice));
  if (wanted.length > 0) return planOf(template, family, wanted, spare ? [spare, ...rest] : rest);
  // The one slice of a service without endpoints has no ports either.
  return planOf(template, family, [{ slice: spare, ports: [], endpoints: [] }], rest);
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
  template: SliceTemplate,
  family: string,
  wanted: readonly WantedSlice[],
  remove: readonly EndpointSlice[],
): SlicePlan {
  const { labels, annotations } = template;
  const create = wanted
    .filter(({ slice }) => !slice)
    .map(({ ports, endpoints }) => ({ ...template.newSlice(family), endpoints, ports }));
  const update = wanted.flatMap(({ slice, ports, endpoints }) => {
    if (!slice) return [];
    const metadata = { ...slice.metadata, labels, ...(annotations && { annotations }) };
    const object = { ...slice, metadata, endpoints, ports } as EndpointSlice;
    return isSame(slice, object) ? [] : [{ from: slice, object }];
  });
  return { create, update, remove };
}

function isSame(slice: EndpointSlice, wanted: EndpointSlice): boolean {
  return (
    jsonEqual(slice.endpoints ?? [], wanted.endpoints) &&
    jsonEqual(slice.ports ?? [], wanted.ports) &&
    jsonEqual(slice.metadata.labels, wanted.metadata.labels) &&
    jsonEqual(slice.metadata.annotations ?? {}, wanted.metadata.annotations ?? {})
  );
}
