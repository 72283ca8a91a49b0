import type { Pod } from '../../objects/kinds.ts';
import { type CommittedClaims, commitClaims } from '../claim/commitClaims.ts';
import { decideClaims } from '../claim/decideClaims.ts';
import type { GuardedRegistry } from '../guardWrites.ts';
import { activePods, type ObservedReplicas } from './observeReplicas.ts';
import { type ReplicaOwnerKind, selectorOf } from './ReplicaOwner.ts';

/** Adopts the owner's matching orphans and releases the pods that its selector no longer matches. Returns the active pods that it owns afterwards. */
export async function claimPods(
  registry: GuardedRegistry,
  kind: ReplicaOwnerKind,
  observed: ObservedReplicas,
): Promise<CommittedClaims<Pod>> {
  const { owner } = observed;
  const { namespace = '', name } = owner.metadata;
  const claimant = { object: owner, matches: selectorOf(kind, owner) };
  return await commitClaims(decideClaims(claimant, activePods(observed)), {
    registry,
    claimant,
    claimantKey: { resource: kind.resource, namespace, name },
    resource: 'pods',
  });
}
