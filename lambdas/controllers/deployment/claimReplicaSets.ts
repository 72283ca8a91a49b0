import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { isEmptySelector } from '../../objects/selectors/labelSelector.ts';
import type { ObjectKey } from '../../objects/ObjectKey.ts';
import { matcherOf } from '../claim/claimPods.ts';
import { type CommittedClaims, commitClaims } from '../claim/commitClaims.ts';
import { type Claimant, decideClaims } from '../claim/decideClaims.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';

/**
 * `getReplicaSetsForDeployment` and `ClaimReplicaSets`: adopts and releases ReplicaSets, and returns those that the Deployment owns then. Candidates are its own ones, which it may
 * have to release, and the namespace's orphans. Two reads by index. A Deployment that selects everything claims nothing.
 */
export async function claimReplicaSets(
  registry: GuardedRegistry,
  deployment: Deployment,
): Promise<CommittedClaims<ReplicaSet>> {
  if (isEmptySelector(deployment.spec?.selector)) return { claimed: [], writes: [] };
  const { namespace = '', name, uid } = deployment.metadata;
  const [own, orphans] = await Promise.all(
    [uid, ''].map((value) =>
      registry.list<ReplicaSet>('replicasets.apps', { namespace, index: { name: 'controller', value } }),
    ),
  );
  const claimant: Claimant = { object: deployment, matches: matcherOf(deployment.spec?.selector) };
  const claims = decideClaims(claimant, [...(own?.items ?? []), ...(orphans?.items ?? [])]);
  const claimantKey: ObjectKey = { resource: 'deployments.apps', namespace, name };
  return await commitClaims(claims, { registry, claimant, claimantKey, resource: 'replicasets.apps' });
}
