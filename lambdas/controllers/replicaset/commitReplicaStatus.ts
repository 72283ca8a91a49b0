import type { Registry } from '../../registry/Registry.ts';
import type { ReplicaStatus } from './decideReplicaStatus.ts';
import type { ReplicaOwner, ReplicaOwnerKind } from './ReplicaOwner.ts';

/** Writes the status if it is another one, on condition that the owner is as it was read. Throws what the registry refuses for other reasons. */
export async function commitReplicaStatus(
  registry: Registry,
  { resource }: ReplicaOwnerKind,
  owner: ReplicaOwner,
  status: ReplicaStatus,
): Promise<'stored' | 'unchanged' | 'conflict' | 'absent'> {
  if (status === owner.status) return 'unchanged';
  const outcome = await registry.update(resource, { ...owner, status }, { subresource: 'status', from: owner });
  if (outcome.status === 'stored') return 'stored';
  if (outcome.error.reason === 'Conflict') return 'conflict';
  if (outcome.error.reason === 'NotFound') return 'absent';
  throw outcome.error;
}
