import type { Pod } from '../../objects/kinds.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { type ReferencedResource, refersTo } from '../../objects/pods/podReferences.ts';
import { isPodActive } from '../../objects/pods/podState.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import type { RecentWaits } from './WaitNotice.ts';

/** The resources for whose objects pods wait. */
export const REFERENCED: readonly ReferencedResource[] = ['configmaps', 'secrets', 'persistentvolumeclaims'];

/** Whether pods wait for objects of this resource. Pure. */
export function isReferenced(resource: GroupResource): resource is ReferencedResource {
  return (REFERENCED as readonly GroupResource[]).includes(resource);
}

/** Returns the keys of the pods that may have waited for this change of an object. Lists the pods of its namespace, but only while one of them has announced that it waits. */
export async function keysOfWaitingPods(
  registry: RegistryReader,
  waits: RecentWaits,
  change: Change,
): Promise<readonly KeyToSend[]> {
  if (change.type === 'DELETED' || !isReferenced(change.resource)) return [];
  const { resource } = change;
  const { namespace = '', name } = change.after.metadata;
  if (!(await waits.mayWait(namespace))) return [];
  const { items } = await registry.list<Pod>('pods', { namespace });
  return items
    .filter((pod) => mayWait(pod) && refersTo(pod, resource, name))
    .map(({ metadata }) => ({ key: { controller: 'pod', namespace, name: metadata.name } }));
}

/** Whether the pod has a node, and a container of it does not run. */
function mayWait(pod: Pod): boolean {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = pod.status ?? {};
  const statuses = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
  const isStarting = containerStatuses.length === 0 || statuses.some(({ state }) => state?.waiting !== undefined);
  return Boolean(pod.spec?.nodeName) && isPodActive(pod) && isStarting;
}
