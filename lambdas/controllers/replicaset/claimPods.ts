import type { Pod } from '../../objects/kinds.ts';
import { type CommittedClaims, commitClaims } from '../claim/commitClaims.ts';
import { decideClaims } from '../claim/decideClaims.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import { isPodActive } from '../../objects/pods/podState.ts';
import type { ObservedReplicas } from './observeReplicas.ts';
import type { PodTally } from './PodTallies.ts';
import { type ReplicaOwnerKind, selectorOf } from './ReplicaOwner.ts';

/** Adopts the owner's matching orphans and releases the pods that its selector no longer matches. Returns the active pods that it owns afterwards. Apart from the `claimPods` of the other owners of pods, because most syncs have no orphans, and then what the tally has kept is not looked at again. */
export async function claimPods(
  registry: GuardedRegistry,
  kind: ReplicaOwnerKind,
  { owner, owned, orphans }: ObservedReplicas,
  tally: PodTally,
): Promise<CommittedClaims<Pod>> {
  const { namespace = '', name } = owner.metadata;
  const claimant = { object: owner, matches: selectorOf(kind, owner) };
  const candidates = orphans.filter(isPodActive);
  const claims =
    candidates.length === 0
      ? { kept: tally.kept, adopt: [], release: tally.released }
      : decideClaims(claimant, [...owned.filter(isPodActive), ...candidates]);
  return await commitClaims(claims, {
    registry,
    claimant,
    claimantKey: { resource: kind.resource, namespace, name },
    resource: 'pods',
  });
}
