import { type GuardedRegistry, WriteRefusedError } from '../guardWrites.ts';
import type { ReplicaStatus } from './decideReplicaStatus.ts';
import type { ReplicaOwner, ReplicaOwnerKind } from './ReplicaOwner.ts';

/** What became of a status. `notTried`: the sync's time was over. */
export type CommittedStatus = 'stored' | 'unchanged' | 'conflict' | 'absent' | 'notTried';

/** Writes the status if it is another one, on condition that the owner is as it was read. Throws what the registry refuses for other reasons. */
export async function commitReplicaStatus(
  registry: GuardedRegistry,
  { resource }: ReplicaOwnerKind,
  owner: ReplicaOwner,
  status: ReplicaStatus,
): Promise<CommittedStatus> {
  if (status === owner.status) return 'unchanged';
  try {
    return await write(registry, resource, owner, status);
  } catch (error) {
    if (error instanceof WriteRefusedError) return 'notTried';
    throw error;
  }
}

async function write(
  registry: GuardedRegistry,
  resource: ReplicaOwnerKind['resource'],
  owner: ReplicaOwner,
  status: ReplicaStatus,
): Promise<CommittedStatus> {
  const outcome = await registry.update(resource, { ...owner, status }, { subresource: 'status', from: owner });
  if (outcome.status === 'stored') return 'stored';
  if (outcome.error.reason === 'Conflict') return 'conflict';
  if (outcome.error.reason === 'NotFound') return 'absent';
  throw outcome.error;
}
