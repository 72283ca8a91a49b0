import type { EndpointSlice } from 'kubernetes-types/discovery/v1.js';
import type { Stored } from '../../../lambdas/objects/KubernetesObject.ts';
import type { World } from '../World.ts';

/** The addresses, sorted, that are ready in the slices of a service. */
export function sliceAddresses(world: World, namespace: string, service: string): readonly string[] {
  const slices = world
    .all<Stored<EndpointSlice>>('EndpointSlice')
    .filter(
      ({ metadata }) => metadata.namespace === namespace && metadata.labels?.['kubernetes.io/service-name'] === service,
    );
  const endpoints = slices.flatMap((slice) => slice.endpoints ?? []);
  return endpoints.flatMap(({ addresses, conditions }) => (conditions?.ready === false ? [] : addresses)).toSorted();
}
