import type { Endpoints } from 'kubernetes-types/core/v1.js';
import type { Stored } from '../../../lambdas/objects/KubernetesObject.ts';
import { nameOf, type World } from '../World.ts';
import { readyAddresses, selectingServices } from './readyAddresses.ts';

/** The Endpoints of each service that selects pods have the addresses of those that are ready. */
export function unmetEndpoints(world: World): string | undefined {
  for (const service of selectingServices(world)) {
    const { namespace = '', name } = service.metadata;
    const found = world.get<Stored<Endpoints>>('endpoints', namespace, name);
    const addresses = (found?.subsets ?? []).flatMap((subset) => (subset.addresses ?? []).map(({ ip }) => ip));
    const wanted = readyAddresses(world, service);
    if (addresses.toSorted().join() !== wanted.join())
      return `the Endpoints of ${nameOf(service)} have ${addresses.join()} and not ${wanted.join()}`;
  }
  return undefined;
}
