import type { Pod, Service } from '../../objects/kinds.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import { reportDone } from './endpointReasons.ts';
import { createServiceController, SERVICES } from './createServiceController.ts';
import { decideEndpoints, type Endpoints } from './decideEndpoints.ts';
import { hasSelector } from './podEndpoint.ts';
import { reportWrite } from './reportWrite.ts';
import type { ServicesOfPods } from './ServicesOfPods.ts';

const ENDPOINTS = 'endpoints';

/** Kubernetes' endpoints controller: keeps the Endpoints of each service that selects pods. A service and its Endpoints have the same name. */
export function createEndpointController({ services }: { readonly services: ServicesOfPods }): Controller<SyncContext> {
  return createServiceController({
    name: 'endpoint',
    services,
    written: ENDPOINTS,
    isConcerned,
    serviceOf: ({ metadata }) => metadata.name,
    sync: syncService,
  });
}

/** A service without a selector has no endpoints of ours, unless it had one before. What has the name of a service that is gone goes too. */
function isConcerned({ type, before, after }: Change): boolean {
  if (type === 'DELETED') return true;
  return [before, after].some((service) => service !== undefined && hasSelector(service));
}

/** Kubernetes' `syncService`. */
async function syncService({ namespace, name }: WorkKey, { registry }: SyncContext): Promise<SyncReport> {
  const [service, current] = await Promise.all([
    registry.get<Service>({ resource: SERVICES, namespace, name }),
    registry.get<Endpoints>({ resource: ENDPOINTS, namespace, name }),
  ]);
  if (!service) return deleteEndpoints(registry, current);
  if (!hasSelector(service)) return reportDone({ reason: 'serviceHasNoSelector' });
  const { items } = await registry.list<Pod>('pods', { namespace });
  const decision = decideEndpoints(service, items, current);
  switch (decision.decision) {
    case 'keep':
      return reportDone({ reason: 'endpointsAreRight' });
    case 'create':
      return reportWrite(await registry.create(ENDPOINTS, decision.object), `create ${ENDPOINTS} ${namespace}/${name}`);
    case 'update':
      return reportWrite(
        await registry.update(ENDPOINTS, decision.object, { from: decision.from }),
        `update ${ENDPOINTS} ${namespace}/${name}`,
      );
  }
}

async function deleteEndpoints(registry: GuardedRegistry, current: Endpoints | undefined): Promise<SyncReport> {
  if (!current) return reportDone({ reason: 'isGone' });
  const { namespace = '', name, uid } = current.metadata;
  const outcome = await registry.delete({ resource: ENDPOINTS, namespace, name }, { preconditions: { uid } });
  return reportWrite(outcome, `delete ${ENDPOINTS} ${namespace}/${name}`);
}
