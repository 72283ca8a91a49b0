import { controllerOf } from '../../objects/KubernetesObject.ts';
import { isPodTerminal } from '../../objects/pods/podState.ts';
import type { Wait } from './deploymentReasons.ts';
import type { Rollout } from './Rollout.ts';
import type { SizedReplicaSet } from './SizedReplicaSet.ts';
import { NO_SCALING, type Scaling } from './Step.ts';

/**
 * `rolloutRecreate`, pure: returns what to write instead of writing it. Scales all old ReplicaSets to 0, then waits until their pods are really gone, then gives the new one all its
 * replicas at once, or creates it with them. `rollout.pods`: those of the Deployment's ReplicaSets, also terminal and terminating ones.
 */
export function rolloutRecreate(rollout: Rollout): Scaling {
  const active = rollout.oldReplicaSets.filter(({ isActive }) => isActive);
  if (active.length > 0) return scaleDownOldReplicaSetsForRecreate(active);
  const waitsFor = oldPodsRunning(rollout);
  if (waitsFor.length > 0) return { ...NO_SCALING, waitsFor };
  if (!rollout.newReplicaSet) return { ...NO_SCALING, create: rollout.desired, why: [{ reason: 'startsWithAll' }] };
  return scaleUpNewReplicaSetForRecreate(rollout.newReplicaSet, rollout.desired);
}

function scaleDownOldReplicaSetsForRecreate(active: readonly SizedReplicaSet[]): Scaling {
  return {
    resizes: active.map((replicaSet) => ({ replicaSet, replicas: 0 })),
    why: [{ reason: 'recreateRemovesOldFirst' }],
    waitsFor: [],
  };
}

function scaleUpNewReplicaSetForRecreate(newReplicaSet: SizedReplicaSet, desired: number): Scaling {
  if (newReplicaSet.desired === desired) return NO_SCALING;
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
function oldPodsRunning({ newReplicaSet, oldReplicaSets, pods }: Rollout): readonly Wait[] {
  const waits = oldReplicaSets.flatMap(waitForNoPods);
  const running = pods.filter((pod) => controllerOf(pod)?.uid !== newReplicaSet?.uid && !isPodTerminal(pod));
  const [example] = running;
  return example ? [...waits, { wait: 'oldPodsGone', pods: running.length, example: example.metadata.name }] : waits;
}

function waitForNoPods({ name, current, isObserved }: SizedReplicaSet): Wait[] {
  if (!isObserved) return [{ wait: 'observedNoPods', name }];
  return current > 0 ? [{ wait: 'recreatePodsDeleted', name, pods: current }] : [];
}
