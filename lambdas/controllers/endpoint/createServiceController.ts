import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { Controller, SyncContext } from '../Controller.ts';
import { hasSelector } from './podEndpoint.ts';
import type { ServicesOfPods } from './ServicesOfPods.ts';

export const SERVICES = 'services';

export interface ServiceControllerParts extends Pick<Controller<SyncContext>, 'sync'> {
  readonly name: string;
  readonly services: ServicesOfPods;
  /** The resource that the controller writes. */
  readonly written: GroupResource;
  /** Whether the change of a service concerns the controller. */
  readonly isConcerned: (change: Change) => boolean;
  /** Returns the service that a deleted object of `written` belonged to; `undefined` if the controller did not write it. */
  readonly serviceOf: (deleted: KubernetesObject) => string | undefined;
}

/**
 * Creates a controller that keeps what it writes in line with the pods of each service that selects pods. Its keys are services. An object that was deleted is written again; what others
 * write to an object is left alone until the service or a pod changes.
 */
export function createServiceController(parts: ServiceControllerParts): Controller<SyncContext> {
  const { name, services, written, isConcerned, serviceOf, sync } = parts;
  const keyOf = (namespace: string | undefined, service: string): WorkKey => ({
    controller: name,
    namespace: namespace ?? '',
    name: service,
  });
  const keysTo = (change: Change, names: readonly string[]): readonly KeyToSend[] =>
    names.map((service) => ({ key: keyOf(subjectOf(change).metadata.namespace, service) }));
  const keysForPod = (change: Change) => {
    const keysToServices = (found: readonly KubernetesObject[]) => {
      const names = found.map(({ metadata }) => metadata.name);
      return keysTo(change, names);
    };
    const found = services.ofChange(change);
    return found instanceof Promise ? found.then(keysToServices) : keysToServices(found);
  };
  const keysFor = (change: Change) => {
    const subject = subjectOf(change);
    if (change.resource === SERVICES) return keysTo(change, isConcerned(change) ? [subject.metadata.name] : []);
    if (change.resource !== written) return keysForPod(change);
    const service = change.type === 'DELETED' ? serviceOf(subject) : undefined;
    return keysTo(change, service === undefined ? [] : [service]);
  };
  return {
    name,
    resources: [SERVICES],
    watches: [SERVICES, written, 'pods'],
    keysFor,
    keysToResync: (service) => (hasSelector(service) ? [keyOf(service.metadata.namespace, service.metadata.name)] : []),
    sync,
  };
}
