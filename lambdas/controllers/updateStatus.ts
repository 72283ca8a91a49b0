import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { GroupResource } from '../objects/ObjectKey.ts';
import { type GuardedRegistry, WriteRefusedError } from './guardWrites.ts';

/** What became of a status. `notTried`: the sync's deadline has passed, so nothing was sent. */
export type StatusUpdate = 'stored' | 'unchanged' | 'conflict' | 'absent' | 'notTried';

/**
 * Writes the status of a workload if it is another object than the stored one, on the condition that the workload is as it was read. Kubernetes' `updateReplicaSetStatus` and `storeDaemonSetStatus` try twice; here a conflict makes
 * the sync observe again. Throws other refusals of the registry.
 */
export async function updateStatus<T extends KubernetesObject & { readonly status?: object }>(
  registry: GuardedRegistry,
  resource: GroupResource,
  from: T,
  status: NonNullable<T['status']>,
): Promise<StatusUpdate> {
  if (status === from.status) return 'unchanged';
  try {
    const outcome = await registry.update<T>(resource, { ...from, status }, { subresource: 'status', from });
    if (outcome.status === 'stored') return 'stored';
    if (outcome.error.reason === 'Conflict') return 'conflict';
    if (outcome.error.reason === 'NotFound') return 'absent';
    throw outcome.error;
  } catch (error) {
    if (error instanceof WriteRefusedError) return 'notTried';
    throw error;
  }
}
