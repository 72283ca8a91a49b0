import { hasSelector, selectsPod } from '../../../lambdas/controllers/endpoint/podEndpoint.ts';
import type { Service } from '../../../lambdas/objects/kinds.ts';
import { isPodReady } from '../../../lambdas/objects/pods/podState.ts';
import type { World } from '../World.ts';

/** The services that select pods. */
export function selectingServices(world: World): readonly Service[] {
  return world.all<Service>('Service').filter(hasSelector);
}

/** The addresses, sorted, of the ready pods that the service selects. */
export function readyAddresses(world: World, service: Service): readonly string[] {
  const pods = world.pods().filter(({ metadata }) => metadata.namespace === service.metadata.namespace);
  return pods
    .filter((pod) => pod.metadata.deletionTimestamp === undefined && isPodReady(pod))
    .filter(({ metadata }) => selectsPod(service, metadata.labels))
    .flatMap(({ status }) => status?.podIP ?? [])
    .toSorted();
}
