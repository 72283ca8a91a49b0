import { nameOf, type World } from '../World.ts';
import { readyAddresses, selectingServices } from './readyAddresses.ts';
import { sliceAddresses } from './sliceAddresses.ts';

/** The slices of each service that selects pods have the addresses of those that are ready, each once. */
export function unmetEndpointSlices(world: World): string | undefined {
  for (const service of selectingServices(world)) {
    const { namespace = '', name } = service.metadata;
    const addresses = sliceAddresses(world, namespace, name);
    const wanted = readyAddresses(world, service);
    if (addresses.join() !== wanted.join())
      return `the slices of ${nameOf(service)} have ${addresses.join()} and not ${wanted.join()}`;
  }
  return undefined;
}
