import type { Pod, Service } from '../../objects/kinds.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import { hasSelector } from '../endpoint/podEndpoint.ts';
import type { ServicesOfPods } from '../endpoint/ServicesOfPods.ts';
import type { Reason } from '../Reason.ts';
import { reasonInWords } from '../reasonInWords.ts';
import { commitSlices, SLICES } from './commitSlices.ts';
import { type EndpointSlice, MANAGED_BY_LABEL, SERVICE_NAME_LABEL } from './planSlices.ts';
import { MANAGED_BY, reconcileSlices } from './reconcileSlices.ts';

const SERVICES = 'services';

/** Kubernetes' EndpointSlice controller: keeps the slices of each service that selects pods. The garbage collector removes those of a service that is gone. */
export function createEndpointSliceController({
  services,
}: {
  readonly services: ServicesOfPods;
}): Controller<SyncContext> {
  return {
    name: 'endpointslice',
    resources: [SERVICES],
    watches: [SERVICES, SLICES, 'pods'],
    keysFor: (change) => keysForChange(services, change),
    keysToResync: (service) => (hasSelector(service) ? [keyOf(service.metadata)] : []),
    sync: syncService,
  };
}

function keyOf({ namespace = '', name }: { readonly namespace?: string; readonly name: string }): WorkKey {
  return { controller: 'endpointslice', namespace, name };
}

async function keysForChange(services: ServicesOfPods, change: Change): Promise<readonly KeyToSend[]> {
  const subject = subjectOf(change);
  switch (change.resource) {
    case SERVICES:
      return change.after && hasSelector(change.after) ? [{ key: keyOf(subject.metadata) }] : [];
    case SLICES:
      return change.type === 'DELETED' ? keysOfSlice(change.before as EndpointSlice) : [];
    default:
      return (await services.ofChange(change)).map(({ metadata }) => ({ key: keyOf(metadata) }));
  }
}

/** Somebody deleted a slice of ours. */
function keysOfSlice({ metadata: { namespace = '', labels = {} } }: EndpointSlice): readonly KeyToSend[] {
  const name = labels[SERVICE_NAME_LABEL];
  return name !== undefined && labels[MANAGED_BY_LABEL] === MANAGED_BY ? [{ key: keyOf({ namespace, name }) }] : [];
}

/** Kubernetes' `syncService`. */
async function syncService({ namespace, name }: WorkKey, { registry }: SyncContext): Promise<SyncReport> {
  const service = await registry.get<Service>({ resource: SERVICES, namespace, name });
  if (!service || service.metadata.deletionTimestamp !== undefined) return report({ reason: 'isGone' });
  if (!hasSelector(service)) return report({ reason: 'serviceHasNoSelector' });
  const [pods, slices] = await Promise.all([
    registry.list<Pod>('pods', { namespace }),
    registry.list<EndpointSlice>(SLICES, { namespace }),
  ]);
  const own = slices.items.filter(({ metadata: { labels = {}, deletionTimestamp } }) => {
    const isOurs = labels[SERVICE_NAME_LABEL] === name && labels[MANAGED_BY_LABEL] === MANAGED_BY;
    return isOurs && deletionTimestamp === undefined;
  });
  return commitSlices(registry, reconcileSlices(service, pods.items, own));
}

function report(reason: Reason): SyncReport {
  return { outcome: { status: 'done' }, why: [reasonInWords(reason)], writes: [] };
}
