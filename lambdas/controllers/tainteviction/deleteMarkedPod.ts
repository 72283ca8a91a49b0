import type { ApiError } from '../../objects/ApiError.ts';
import type { Pod } from '../../objects/kinds.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';

/** `gone`: the pod is deleted, or is another one by now. `conflict`: it changed since it was read, so it has to be looked at again. */
export type MarkedDeletion = 'deleted' | 'gone' | 'conflict';

/** Writes the status of a pod that says why it goes, and then deletes the pod. Without a grace period, the pod's own one applies. */
export async function deleteMarkedPod(
  registry: GuardedRegistry,
  pod: Pod,
  marked: Pod,
  options: { readonly gracePeriodSeconds?: number } = {},
): Promise<MarkedDeletion> {
  const { namespace = '', name, uid } = pod.metadata;
  if (marked !== pod) {
    const written = await registry.update<Pod>('pods', marked, { subresource: 'status', from: pod });
    if (written.status === 'refused') return refusedAs(written.error);
  }
  const deleted = await registry.delete<Pod>(
    { resource: 'pods', namespace, name },
    { ...options, preconditions: { uid } },
  );
  return deleted.status === 'refused' ? refusedAs(deleted.error) : 'deleted';
}

function refusedAs(error: ApiError): MarkedDeletion {
  if (error.reason === 'NotFound') return 'gone';
  if (error.reason === 'Conflict') return 'conflict';
  throw error;
}
