import type { Service } from '../../objects/kinds.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import type { Endpoints } from '../endpoint/decideEndpoints.ts';
import { commitSlices, SLICES } from '../endpointslice/commitSlices.ts';
import { type EndpointSlice, MANAGED_BY_LABEL, SERVICE_NAME_LABEL } from '../endpointslice/planSlices.ts';
import { MIRRORED_BY, mirrorSlices, shouldMirror } from './mirrorSlices.ts';

const ENDPOINTS = 'endpoints';
const SERVICES = 'services';

/** Kubernetes' EndpointSlice mirroring controller: shows the Endpoints of a service without a selector, which somebody writes by hand, as EndpointSlices. */
export function createEndpointSliceMirroringController(): Controller<SyncContext> {
  return {
    name: 'endpointslicemirroring',
    resources: [ENDPOINTS],
    watches: [ENDPOINTS, SERVICES, SLICES],
    keysFor: keysForChange,
    keysToResync: (endpoints) => (shouldMirror(endpoints) ? [keyOf(endpoints.metadata)] : []),
    sync: syncEndpoints,
  };
}

function keyOf({ namespace = '', name }: { readonly namespace?: string; readonly name: string }): WorkKey {
  return { controller: 'endpointslicemirroring', namespace, name };
}

function keysForChange(change: Change): readonly KeyToSend[] {
  const { before, after } = change;
  switch (change.resource) {
    case ENDPOINTS:
      return [before, after].some((one) => one && shouldMirror(one))
        ? [{ key: keyOf(subjectOf(change).metadata) }]
        : [];
    case SERVICES:
      return isSelectorless(before) === isSelectorless(after) ? [] : [{ key: keyOf(subjectOf(change).metadata) }];
    default:
      return change.type === 'DELETED' ? keysOfSlice(change.before) : [];
  }
}

/** True for a service whose Endpoints are written by hand. */
function isSelectorless(service: KubernetesObject | undefined): boolean {
  return service !== undefined && (service as Service).spec?.selector === undefined;
}

/** Somebody deleted a slice of ours. */
function keysOfSlice({ metadata: { namespace = '', labels = {} } }: KubernetesObject): readonly KeyToSend[] {
  const name = labels[SERVICE_NAME_LABEL];
  return name !== undefined && labels[MANAGED_BY_LABEL] === MIRRORED_BY ? [{ key: keyOf({ namespace, name }) }] : [];
}

/** Kubernetes' `syncEndpoints`. Slices of what is not mirrored any more are removed. */
async function syncEndpoints({ namespace, name }: WorkKey, { registry }: SyncContext): Promise<SyncReport> {
  const [endpoints, service, slices] = await Promise.all([
    registry.get<Endpoints>({ resource: ENDPOINTS, namespace, name }),
    registry.get<Service>({ resource: SERVICES, namespace, name }),
    registry.list<EndpointSlice>(SLICES, { namespace }),
  ]);
  const own = slices.items.filter(({ metadata: { labels = {}, deletionTimestamp } }) => {
    const isOurs = labels[SERVICE_NAME_LABEL] === name && labels[MANAGED_BY_LABEL] === MIRRORED_BY;
    return isOurs && deletionTimestamp === undefined;
  });
  const isMirrored = endpoints !== undefined && shouldMirror(endpoints) && isSelectorless(service);
  return await commitSlices(
    registry,
    isMirrored ? mirrorSlices(endpoints, own) : { create: [], update: [], remove: own },
  );
}
