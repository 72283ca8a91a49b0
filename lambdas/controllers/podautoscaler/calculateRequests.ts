import type { Container } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import { hasPodLevelResources, podLevelAmounts } from '../../objects/pods/podLevelResources.ts';
import { parseQuantity } from '../../objects/quantities/quantity.ts';
import { milliValue } from './PodMetrics.ts';

/** What each pod requests of a resource, in thousandths, by its name; or why that is not known. */
export type Requests = ReadonlyMap<string, number> | string;

/** Kubernetes' `calculateRequests`. With `container` only that container counts, otherwise what the pod requests as a whole, or all its containers and sidecars together. Pure. */
export function calculateRequests(pods: readonly Pod[], container: string | undefined, resource: string): Requests {
  const requests = new Map<string, number>();
  for (const pod of pods) {
    const isWhole = container === undefined && hasPodLevelRequests(pod);
    const request = isWhole ? podLevelRequest(pod, resource) : containerRequests(pod, container, resource);
    if (typeof request === 'string') return request;
    requests.set(pod.metadata.name, request);
  }
  return requests;
}

function hasPodLevelRequests({ spec }: Pod): boolean {
  return spec !== undefined && hasPodLevelResources(spec) && Object.keys(podLevelAmounts(spec, 'requests')).length > 0;
}

function podLevelRequest({ metadata, spec }: Pod, resource: string): number | string {
  const quantity = parseQuantity(spec && podLevelAmounts(spec, 'requests')[resource]);
  return quantity ? milliValue(quantity) : `missing pod-level request for ${resource} in Pod ${metadata.name}`;
}

function containerRequests(pod: Pod, wanted: string | undefined, resource: string): number | string {
  const { metadata, spec } = pod;
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const all: readonly Container[] = [...(spec?.containers ?? []), ...sidecars];
  const counted = wanted === undefined ? all : all.filter(({ name }) => name === wanted);
  if (counted.length === 0 && wanted !== undefined) return `container ${wanted} not found in Pod ${metadata.name}`;
  let sum = 0;
  for (const { name, resources } of counted) {
    const quantity = parseQuantity(resources?.requests?.[resource]);
    if (!quantity) return `missing request for ${resource} in container ${name} of Pod ${metadata.name}`;
    sum += milliValue(quantity);
  }
  return sum;
}
