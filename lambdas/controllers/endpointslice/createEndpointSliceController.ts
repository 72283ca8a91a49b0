import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Pod, Service } from '../../objects/kinds.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import { createServiceController, SERVICES } from '../endpoint/createServiceController.ts';
import { hasSelector } from '../endpoint/podEndpoint.ts';
import type { ServicesOfPods } from '../endpoint/ServicesOfPods.ts';
import { reportDone } from '../endpoint/endpointReasons.ts';
import { commitSlices, SLICES } from './commitSlices.ts';
import { type EndpointSlice, MANAGED_BY_LABEL, SERVICE_NAME_LABEL } from './planSlices.ts';
import { MANAGED_BY, reconcileSlices } from './reconcileSlices.ts';

/** Kubernetes' EndpointSlice controller: keeps the slices of each service that selects pods. The garbage collector removes those of a service that is gone. */
export function createEndpointSliceController({
  services,
}: {
  readonly services: ServicesOfPods;
}): Controller<SyncContext> {
  return createServiceController({
    name: 'endpointslice',
    services,
    written: SLICES,
    isConcerned: ({ after }) => after !== undefined && hasSelector(after),
    serviceOf: serviceOfSlice,
    sync: syncService,
  });
}

/** Returns the service of a slice of ours. */
function serviceOfSlice({ metadata: { labels = {} } }: KubernetesObject): string | undefined {
  return labels[MANAGED_BY_LABEL] === MANAGED_BY ? labels[SERVICE_NAME_LABEL] : undefined;
}

/** Kubernetes' `syncService`. */
async function syncService({ namespace, name }: WorkKey, { registry }: SyncContext): Promise<SyncReport> {
  const service = await registry.get<Service>({ resource: SERVICES, namespace, name });
  if (!service || service.metadata.deletionTimestamp !== undefined) return reportDone({ reason: 'isGone' });
  if (!hasSelector(service)) return reportDone({ reason: 'serviceHasNoSelector' });
  const [pods, slices] = await Promise.all([
    registry.list<Pod>('pods', { namespace }),
    registry.list<EndpointSlice>(SLICES, { namespace }),
  ]);
  const own = slices.items.filter(
    (slice) => serviceOfSlice(slice) === name && slice.metadata.deletionTimestamp === undefined,
  );
  return commitSlices(registry, reconcileSlices(service, pods.items, own));
}
