import type { Deployment, Pod, ReplicaSet } from '../../objects/kinds.ts';
import { compileLabelSelector, isEmptySelector } from '../../objects/labelSelector.ts';
import type { ObjectKey } from '../../objects/ObjectKey.ts';
import type { GuardedRegistry, RegistryReader } from '../guardWrites.ts';
import { commitClaims } from '../claim/commitClaims.ts';
import { type Claimant, decideClaims } from '../claim/decideClaims.ts';
import { isAutoRollbackOn } from './GivenUp.ts';
import { availableReplicas, desiredReplicas, isActive } from './replicaCounts.ts';
import { byAge } from './replicaSetOrder.ts';
import { findRollout, type World } from './Rollout.ts';

/** Pods of one template fail alike, so a few of them tell what all do. */
const TELLING_PODS = 5;

export interface Observation {
  readonly world: World;
  /** The claims that were written on the way. */
  readonly writes: readonly string[];
}

/**
 * Reads what a decision needs: the ReplicaSets that the Deployment owns, by index, after claiming those it should own; and pods where the decision turns on them.
 * A Deployment that selects everything claims nothing.
 */
export async function observeDeployment(
  registry: GuardedRegistry,
  deployment: Deployment,
  nowMs: number,
): Promise<Observation> {
  if (isEmptySelector(deployment.spec?.selector)) {
    return { world: { deployment, replicaSets: [], pods: [], nowMs }, writes: [] };
  }
  const { claimed, writes } = await claimReplicaSets(registry, deployment);
  const replicaSets = claimed.toSorted(byAge);
  const pods = await readPods(registry, deployment, replicaSets);
  return { world: { deployment, replicaSets, pods, nowMs }, writes };
}

/** `getReplicaSetsForDeployment`: candidates are its own ones, which it may have to let go, and the namespace's orphans. */
async function claimReplicaSets(registry: GuardedRegistry, deployment: Deployment) {
  const { namespace = '', name, uid } = deployment.metadata;
  const [own, orphans] = await Promise.all(
    [uid, ''].map((value) =>
      registry.list<ReplicaSet>('replicasets.apps', { namespace, index: { name: 'controller', value } }),
    ),
  );
  const selects = compileLabelSelector(deployment.spec?.selector);
  const claimant: Claimant = { object: deployment, matches: ({ metadata }) => selects(metadata.labels) };
  const claims = decideClaims(claimant, [...(own?.items ?? []), ...(orphans?.items ?? [])]);
  const claimantKey: ObjectKey = { resource: 'deployments.apps', namespace, name };
  return commitClaims(claims, { registry, claimant, claimantKey, resource: 'replicasets.apps' });
}

async function readPods(registry: RegistryReader, deployment: Deployment, replicaSets: readonly ReplicaSet[]) {
  if (deployment.metadata.deletionTimestamp !== undefined || deployment.spec?.paused === true) return [];
  if (recreateMayGoOn(deployment, replicaSets)) {
    const pods = await Promise.all(replicaSets.map((replicaSet) => podsOf(registry, replicaSet)));
    return pods.flat();
  }
  const { newReplicaSet } = findRollout(deployment, replicaSets);
  const failing = newReplicaSet && availableReplicas(newReplicaSet) < desiredReplicas(newReplicaSet);
  return failing && isAutoRollbackOn(deployment) ? podsOf(registry, newReplicaSet, TELLING_PODS) : [];
}

/**
 * Recreate asks whether old pods are left before it scales up. While a ReplicaSet has all replicas it does not scale up: that one is either the new one, or it is
 * scaled down first.
 */
function recreateMayGoOn(deployment: Deployment, replicaSets: readonly ReplicaSet[]): boolean {
  if (deployment.spec?.strategy?.type !== 'Recreate') return false;
  const desired = desiredReplicas(deployment);
  return !replicaSets.some((replicaSet) => isActive(replicaSet) && desiredReplicas(replicaSet) === desired);
}

async function podsOf(registry: RegistryReader, { metadata }: ReplicaSet, limit?: number): Promise<readonly Pod[]> {
  const { items } = await registry.list<Pod>('pods', {
    namespace: metadata.namespace ?? '',
    index: { name: 'controller', value: metadata.uid },
    ...(limit !== undefined && { limit }),
  });
  return items;
}
