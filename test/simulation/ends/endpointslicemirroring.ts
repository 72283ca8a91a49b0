import type { Endpoints } from 'kubernetes-types/core/v1.js';
import { hasSelector } from '../../../lambdas/controllers/endpoint/podEndpoint.ts';
import type { Stored } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Service } from '../../../lambdas/objects/kinds.ts';
import { nameOf, type World } from '../World.ts';
import { sliceAddresses } from './sliceAddresses.ts';

/** The slices of a service without a selector show what somebody wrote into its Endpoints. */
export function unmirroredEndpoints(world: World): string | undefined {
  for (const service of world.all<Service>('Service').filter((one) => !hasSelector(one))) {
    const { namespace = '', name } = service.metadata;
    // The API server writes those of its own service itself.
    if (namespace === 'default' && name === 'kubernetes') continue;
    const written = world.get<Stored<Endpoints>>('endpoints', namespace, name);
    const wanted = (written?.subsets ?? [])
      .flatMap((subset) => (subset.addresses ?? []).map(({ ip }) => ip))
      .toSorted();
    const addresses = sliceAddresses(world, namespace, name);
    if (addresses.join() !== wanted.join())
      return `the slices of ${nameOf(service)} have ${addresses.join()} and not ${wanted.join()}`;
  }
  return undefined;
}
