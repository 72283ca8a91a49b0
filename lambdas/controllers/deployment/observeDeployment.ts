import type { Deployment, Pod, ReplicaSet } from '../../objects/kinds.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { progressDeadlineMs } from './assessProgress.ts';
import { isAutoRollbackOn } from './autorollback/rollbackMemory.ts';
import { availableReplicas, byAge, desiredReplicas, findNewReplicaSet, isActive } from './replicaSets.ts';
import type { World } from './Rollout.ts';

/** Pods of one template fail for the same reason, so a few of them are enough to see it. */
const SAMPLE_PODS = 5;

/** Adds to the Deployment and its claimed ReplicaSets the pods that the decision needs. They are read in two cases only. */
export async function observeDeployment(
  registry: RegistryReader,
  deployment: Deployment,
  claimed: readonly ReplicaSet[],
  nowMs: number,
): Promise<World> {
  const replicaSets = claimed.toSorted(byAge);
  const pods = await readPods(registry, deployment, replicaSets);
  return { deployment, replicaSets, pods, nowMs };
}

/** Recreate needs to know whether old pods are left; automatic rollback whether a pod of the new ReplicaSet can never run. */
async function readPods(
  registry: RegistryReader,
  deployment: Deployment,
  replicaSets: readonly ReplicaSet[],
): Promise<readonly Pod[]> {
  if (deployment.metadata.deletionTimestamp !== undefined || deployment.spec?.paused === true) return [];
  if (recreateMayScaleUp(deployment, replicaSets)) {
    const pods = await Promise.all(replicaSets.map((replicaSet) => podsOf(registry, replicaSet)));
    return pods.flat();
  }
  const newReplicaSet = findNewReplicaSet(deployment, replicaSets);
  const failing = newReplicaSet && availableReplicas(newReplicaSet) < desiredReplicas(newReplicaSet);
  return failing && isAutoRollbackOn(deployment, progressDeadlineMs(deployment))
    ? podsOf(registry, newReplicaSet, SAMPLE_PODS)
    : [];
}

/**
 * Recreate checks for old pods before it scales up. While one ReplicaSet has all replicas, nothing is scaled up: that one is either the new one, or it is scaled down
 * first.
 */
function recreateMayScaleUp(deployment: Deployment, replicaSets: readonly ReplicaSet[]): boolean {
  if (deployment.spec?.strategy?.type !== 'Recreate') return false;
  const desired = desiredReplicas(deployment);
  return !replicaSets.some((replicaSet) => isActive(replicaSet) && desiredReplicas(replicaSet) === desired);
}

async function podsOf(registry: RegistryReader, { metadata }: ReplicaSet, limit?: number): Promise<readonly Pod[]> {
  const { items } = await registry.list<Pod>('pods', {
    namespace: metadata.namespace ?? '',
    index: { name: 'controller', value: metadata.uid, ownerName: metadata.name },
    ...(limit !== undefined && { limit }),
  });
  return items;
}
