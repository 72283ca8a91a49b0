import { jsonEqual } from '../objects/json.ts';
import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { GroupResource } from '../objects/ObjectKey.ts';
import { type GuardedRegistry, WriteRefusedError } from './GuardedWriters.ts';

/** What became of a status, and the object as it is stored now, or was read if it was not written. `notTried`: the sync's deadline has passed, so nothing was sent. */
export interface StatusUpdate<T> {
  readonly status: 'stored' | 'unchanged' | 'conflict' | 'absent' | 'notTried';
  readonly object: T;
}

/**
 * Writes the status of an object if it says something new, on the condition that the object is as it was read. Kubernetes' `updateReplicaSetStatus` and `storeDaemonSetStatus` try twice; here a conflict makes
 * the sync observe again. Throws other refusals of the registry.
 */
export async function updateStatus<T extends KubernetesObject & { readonly status?: object }>(
  registry: GuardedRegistry,
  resource: GroupResource,
  from: T,
  status: NonNullable<T['status']>,
): Promise<StatusUpdate<T>> {
  if (status === from.status || jsonEqual(from.status ?? {}, status)) return { status: 'unchanged', object: from };
  try {
    const outcome = await registry.update<T>(resource, { ...from, status }, { subresource: 'status', from });
    if (outcome.status === 'stored') return { status: 'stored', object: outcome.object };
    if (outcome.error.reason === 'Conflict') return { status: 'conflict', object: from };
    if (outcome.error.reason === 'NotFound') return { status: 'absent', object: from };
    throw outcome.error;
  } catch (error) {
    if (error instanceof WriteRefusedError) return { status: 'notTried', object: from };
    throw error;
  }
}
