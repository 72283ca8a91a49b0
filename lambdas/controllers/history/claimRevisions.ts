import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { ControllerRevision } from '../../objects/kinds.ts';
import type { ObjectKey } from '../../objects/ObjectKey.ts';
import { matcherOf } from '../claim/claimPods.ts';
import { type CommittedClaims, commitClaims } from '../claim/commitClaims.ts';
import { decideClaims } from '../claim/decideClaims.ts';
import type { GuardedRegistry, RegistryReader } from '../GuardedWriters.ts';
import { sortControllerRevisions } from './sortControllerRevisions.ts';

export const CONTROLLER_REVISIONS = 'controllerrevisions.apps';

/** Whose revisions they are. */
export interface RevisionOwner {
  readonly object: KubernetesObject;
  readonly key: ObjectKey;
  readonly selector: LabelSelector | undefined;
  /** Whether revisions that the selector no longer matches lose their owner: a DaemonSet releases them, a StatefulSet does not. */
  readonly releases: boolean;
}

/** Lists the revisions that the owner controls, and those of its namespace that have no controller. The reads are strong. */
export async function listControllerRevisions(
  registry: RegistryReader,
  { metadata }: KubernetesObject,
): Promise<readonly ControllerRevision[]> {
  const { namespace = '', name: ownerName, uid } = metadata;
  const lists = await Promise.all([
    registry.list<ControllerRevision>(CONTROLLER_REVISIONS, {
      namespace,
      index: { name: 'controller', value: uid, ownerName },
    }),
    registry.list<ControllerRevision>(CONTROLLER_REVISIONS, { namespace, index: { name: 'controller', value: '' } }),
  ]);
  return lists.flatMap(({ items }) => items);
}

/**
 * Adopts the owner's matching orphans among the listed revisions, and releases those that no longer match if its kind does that: Kubernetes' `AdoptControllerRevision` and `ReleaseControllerRevision`. Returns the revisions that
 * it has and selects, in the order of `sortControllerRevisions`.
 */
export async function claimRevisions(
  registry: GuardedRegistry,
  owner: RevisionOwner,
  listed: readonly ControllerRevision[],
): Promise<CommittedClaims<ControllerRevision>> {
  const claimant = { object: owner.object, matches: matcherOf(owner.selector) };
  const claims = decideClaims(claimant, listed);
  const decided = owner.releases ? claims : { ...claims, release: [] };
  const { claimed, writes } = await commitClaims(decided, {
    registry,
    claimant,
    claimantKey: owner.key,
    resource: CONTROLLER_REVISIONS,
  });
  return { claimed: sortControllerRevisions(claimed), writes };
}
