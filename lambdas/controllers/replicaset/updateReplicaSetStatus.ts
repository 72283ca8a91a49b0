import { type GuardedRegistry, WriteRefusedError } from '../guardWrites.ts';
import type { ReplicaStatus } from './calculateStatus.ts';
import type { ReplicaOwner, ReplicaOwnerKind } from './ReplicaOwner.ts';

/** What became of a status. `notTried`: the sync's deadline has passed, so nothing was sent. */
export type StatusUpdate = 'stored' | 'unchanged' | 'conflict' | 'absent' | 'notTried';

/**
 * Writes the status of a ReplicaSet or a ReplicationController if it differs, on the condition that the owner is as it was read. Kubernetes' function of this name tries twice; here a conflict makes
 * the sync observe again. Throws other refusals of the registry.
 */
export async function updateReplicaSetStatus(
  registry: GuardedRegistry,
  { resource }: ReplicaOwnerKind,
  owner: ReplicaOwner,
  status: ReplicaStatus,
): Promise<StatusUpdate> {
  if (status === owner.status) return 'unchanged';
  try {
    const outcome = await registry.update(resource, { ...owner, status }, { subresource: 'status', from: owner });
    if (outcome.status === 'stored') return 'stored';
    if (outcome.error.reason === 'Conflict') return 'conflict';
    if (outcome.error.reason === 'NotFound') return 'absent';
    throw outcome.error;
  } catch (error) {
    if (error instanceof WriteRefusedError) return 'notTried';
    throw error;
  }
}
