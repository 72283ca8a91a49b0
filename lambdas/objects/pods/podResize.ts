import type {
  Container,
  ContainerStatus,
  PodCondition,
  PodSpec,
  ResourceRequirements,
} from 'kubernetes-types/core/v1.js';
import { jsonEqual } from '../json.ts';
import type { Pod } from '../kinds.ts';
import type { SizedPodSpec, SizedPodStatus } from './podLevelResources.ts';

/** A condition that says which generation of the pod it is about. kubernetes-types does not know that yet. */
export type ResizeCondition = PodCondition & { readonly observedGeneration?: number };

/** The node has not accepted the resources that a pod's spec asks for. */
export const RESIZE_PENDING = 'PodResizePending';
/** The node has set the resources aside, and the containers do not have them yet. */
export const RESIZE_IN_PROGRESS = 'PodResizeInProgress';

/** Requests and limits, without claims. */
export type Amounts = Pick<ResourceRequirements, 'requests' | 'limits'>;

export function amountsOf({ requests, limits }: ResourceRequirements = {}): Amounts {
  return { ...(requests && { requests }), ...(limits && { limits }) };
}

/** True if the container is known to have other amounts than its spec asks for. A container of which nothing is known has those of its spec. Pure. */
export function isOutOfSize({ resources }: Pick<Container, 'resources'>, status: ContainerStatus | undefined): boolean {
  if (!status?.state?.running || status.resources === undefined) return false;
  return !jsonEqual(amountsOf(resources), amountsOf(status.resources));
}

/** True if the pod, as a whole or in a container, waits to be resized. Pure. */
export function isResizing({ spec, status }: Pod): boolean {
  const { resources: wanted } = (spec ?? {}) as Partial<SizedPodSpec>;
  const { resources: had } = (status ?? {}) as SizedPodStatus;
  if (had !== undefined && !jsonEqual(amountsOf(wanted), amountsOf(had))) return true;
  // Of most pods it is not known what their containers have.
  const isKnown = ({ resources }: ContainerStatus) => resources !== undefined;
  if (!status?.containerStatuses?.some(isKnown) && !status?.initContainerStatuses?.some(isKnown)) return false;
  const statuses = statusesOf(status);
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].some((one) =>
    isOutOfSize(one, statuses.get(one.name)),
  );
}

/** Returns the pod's spec with what its node has set aside for it and for each container, in place of what is asked for. Pure. */
export function allocatedSpec({ spec, status }: Pod): PodSpec {
  const statuses = statusesOf(status);
  const allocated = (container: Container): Container => {
    const requests = statuses.get(container.name)?.allocatedResources;
    return requests === undefined ? container : { ...container, resources: { ...container.resources, requests } };
  };
  const { containers = [], initContainers = [], resources } = (spec ?? {}) as Partial<SizedPodSpec>;
  const { allocatedResources: requests } = (status ?? {}) as SizedPodStatus;
  return {
    ...spec,
    containers: containers.map(allocated),
    initContainers: initContainers.map(allocated),
    ...(resources && requests && { resources: { ...resources, requests } }),
  };
}

function statusesOf(status: Pod['status']): ReadonlyMap<string, ContainerStatus> {
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return new Map(all.map((one) => [one.name, one]));
}
