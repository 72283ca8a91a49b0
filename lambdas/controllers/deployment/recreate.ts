import type { Pod } from '../../objects/kinds.ts';
import { controllerOf } from '../../objects/KubernetesObject.ts';
import { isPodTerminal } from '../../objects/podState.ts';
import { currentReplicas, desiredReplicas, isActive, isObserved } from './replicaCounts.ts';
import { NO_STEP, type Rollout, type Step } from './Rollout.ts';

/** What a Recreate rollout does next; `create`: nothing old is left, and the new ReplicaSet can be created at its full size. */
export type RecreateStep = Step & { readonly create?: true };

/**
 * Recreate: all old ReplicaSets to 0; then nothing until their pods are really gone; then the new one at once at its full size. Pure.
 *
 * @param pods those of the Deployment's ReplicaSets, ended and terminating ones among them
 */
export function decideRecreate(rollout: Rollout, pods: readonly Pod[]): RecreateStep {
  const { deployment, newReplicaSet, oldReplicaSets } = rollout;
  const active = oldReplicaSets.filter(isActive);
  if (active.length > 0) {
    const why = ['Recreate takes all old pods away before it creates new ones'];
    return { resizes: active.map((replicaSet) => ({ replicaSet, replicas: 0 })), why, waitsFor: [] };
  }
  const waitsFor = remainsOfOld(rollout, pods);
  if (waitsFor.length > 0) return { ...NO_STEP, waitsFor };
  if (!newReplicaSet) return { ...NO_STEP, create: true };
  const desired = desiredReplicas(deployment);
  if (desiredReplicas(newReplicaSet) === desired) return NO_STEP;
  const why = [`no old pod is left, so the new replica set gets all ${desired} replicas`];
  return { resizes: [{ replicaSet: newReplicaSet, replicas: desired }], why, waitsFor: [] };
}

/**
 * `oldPodsRunning`, in words: what is still there of the old ReplicaSets. A pod that is being deleted runs until it is gone; one that has Failed or Succeeded
 * does not run. An old ReplicaSet that has not seen yet that it is to have no pods may be creating one right now, so that is waited for too.
 */
function remainsOfOld({ newReplicaSet, oldReplicaSets }: Rollout, pods: readonly Pod[]): readonly string[] {
  const waiting: string[] = [];
  for (const replicaSet of oldReplicaSets) {
    const { name } = replicaSet.metadata;
    const current = currentReplicas(replicaSet);
    if (!isObserved(replicaSet)) waiting.push(`waits until old replica set ${name} has observed that it gets no pods`);
    else if (current > 0) waiting.push(`waits for ${current} pods of old replica set ${name} to be deleted`);
  }
  const running = pods.filter((pod) => controllerOf(pod)?.uid !== newReplicaSet?.metadata.uid && !isPodTerminal(pod));
  if (running.length > 0)
    waiting.push(`waits for ${running.length} old pods to be gone, ${running[0]?.metadata.name} among them`);
  return waiting;
}
