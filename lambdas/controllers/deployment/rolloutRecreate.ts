import type { Pod, ReplicaSet } from '../../objects/kinds.ts';
import { controllerOf } from '../../objects/KubernetesObject.ts';
import { isPodTerminal } from '../../objects/pods/podState.ts';
import type { Wait } from '../Reason.ts';
import { rolloutOutcome } from './cleanupDeployment.ts';
import { createNewReplicaSet } from './getNewReplicaSet.ts';
import type { RolloutOutcome } from './Plan.ts';
import { currentReplicas, desiredReplicas, isActive, isObserved } from './replicaSets.ts';
import { NO_SCALING, type Rollout, type Scaling, type World } from './Rollout.ts';

/** What a Recreate rollout does next. `create`: nothing old is left, so the new ReplicaSet can be created with all its replicas. */
export type RecreateScaling = Scaling & { readonly create?: true };

/** `rolloutRecreate`, pure: returns what to write instead of writing it. */
export function rolloutRecreate(world: World, rollout: Rollout): RolloutOutcome {
  const scaling = decideRecreate(rollout, world.pods);
  if (!scaling.create) return rolloutOutcome(world, rollout, scaling);
  const replicas = desiredReplicas(rollout.deployment);
  return createNewReplicaSet(world, rollout, { replicas, why: [{ reason: 'startsWithAll' }] });
}

/**
 * Scales all old ReplicaSets to 0, then waits until their pods are really gone, then gives the new one all its replicas at once. Pure.
 *
 * @param pods those of the Deployment's ReplicaSets, also terminal and terminating ones
 */
export function decideRecreate(rollout: Rollout, pods: readonly Pod[]): RecreateScaling {
  const active = rollout.oldReplicaSets.filter(isActive);
  if (active.length > 0) return scaleDownOldReplicaSetsForRecreate(active);
  const waitsFor = oldPodsRunning(rollout, pods);
  if (waitsFor.length > 0) return { ...NO_SCALING, waitsFor };
  if (!rollout.newReplicaSet) return { ...NO_SCALING, create: true };
  return scaleUpNewReplicaSetForRecreate(rollout.newReplicaSet, desiredReplicas(rollout.deployment));
}

function scaleDownOldReplicaSetsForRecreate(active: readonly ReplicaSet[]): Scaling {
  return {
    resizes: active.map((replicaSet) => ({ replicaSet, replicas: 0 })),
    why: [{ reason: 'recreateRemovesOldFirst' }],
    waitsFor: [],
  };
}

function scaleUpNewReplicaSetForRecreate(newReplicaSet: ReplicaSet, desired: number): Scaling {
  if (desiredReplicas(newReplicaSet) === desired) return NO_SCALING;
  return {
    resizes: [{ replicaSet: newReplicaSet, replicas: desired }],
    why: [{ reason: 'recreateCreatesAll', desired }],
    waitsFor: [],
  };
}

/**
 * `oldPodsRunning`, as waits: what is left of the old ReplicaSets. A pod that is being deleted runs until it is gone; a Failed or Succeeded pod does not run. An old
 * ReplicaSet that has not observed its size of 0 may be creating a pod right now, so that is waited for too.
 */
function oldPodsRunning({ newReplicaSet, oldReplicaSets }: Rollout, pods: readonly Pod[]): readonly Wait[] {
  const waits: Wait[] = [];
  for (const replicaSet of oldReplicaSets) {
    const { name } = replicaSet.metadata;
    const current = currentReplicas(replicaSet);
    if (!isObserved(replicaSet)) waits.push({ wait: 'observedNoPods', name });
    else if (current > 0) waits.push({ wait: 'recreatePodsDeleted', name, pods: current });
  }
  const running = pods.filter((pod) => controllerOf(pod)?.uid !== newReplicaSet?.metadata.uid && !isPodTerminal(pod));
  const [example] = running;
  if (example) waits.push({ wait: 'oldPodsGone', pods: running.length, example: example.metadata.name });
  return waits;
}
