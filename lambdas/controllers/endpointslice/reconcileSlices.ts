import type { NewObject } from '../../objects/KubernetesObject.ts';
import type { Pod, Service } from '../../objects/kinds.ts';
import { isHeadless } from '../endpoint/podEndpoint.ts';
import { endpointsOf } from './endpointsOf.ts';
import { type EndpointSlice, MANAGED_BY_LABEL, planSlices, SERVICE_NAME_LABEL, type SlicePlan } from './planSlices.ts';

export const MANAGED_BY = 'endpointslice-controller.k8s.io';
const HEADLESS_LABEL = 'service.kubernetes.io/headless';

/** Decides the slices of a service that selects pods. Pure. */
export function reconcileSlices(service: Service, pods: readonly Pod[], existing: readonly EndpointSlice[]): SlicePlan {
  const families = service.spec?.ipFamilies ?? ['IPv4'];
  const groups = new Map(families.map((family) => [family, endpointsOf(service, pods, family)]));
  const labels = labelsOf(service);
  return planSlices({ labels, newSlice: (family) => newSlice(service, family, labels) }, groups, existing);
}

function newSlice(service: Service, family: string, labels: Record<string, string>): NewObject {
  const { name, uid, namespace = '' } = service.metadata;
  const owner = { apiVersion: 'v1', kind: 'Service', name, uid, controller: true, blockOwnerDeletion: true };
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { generateName: `${name}-`, namespace, labels, ownerReferences: [owner] },
    addressType: family,
  };
}

/** The labels of the service, and those by which clients find its slices. */
function labelsOf(service: Service): Record<string, string> {
  const { [HEADLESS_LABEL]: _headless, ...labels } = service.metadata.labels ?? {};
  return {
    ...labels,
    [MANAGED_BY_LABEL]: MANAGED_BY,
    [SERVICE_NAME_LABEL]: service.metadata.name,
    ...(isHeadless(service) && { [HEADLESS_LABEL]: '' }),
  };
}
