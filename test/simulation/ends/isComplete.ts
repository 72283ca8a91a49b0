import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Deployment } from '../../../lambdas/objects/kinds.ts';
import { isPodActive } from '../../../lambdas/objects/pods/podState.ts';
import { isAvailable } from '../checks/podChanges.ts';
import type { World } from '../World.ts';

/** True if everything is as the Deployment's spec wants it and every status says so, those of its ReplicaSets included. */
export function isComplete(world: World, deployment: Deployment, nowMs: number): boolean {
  const { spec, status, metadata } = deployment;
  const replicas = spec?.replicas ?? 1;
  const counts = [status?.replicas, status?.updatedReplicas, status?.availableReplicas];
  if (status?.observedGeneration !== metadata.generation || counts.some((count = 0) => count !== replicas))
    return false;
  const current = world.newReplicaSetOf(deployment);
  if (current?.spec?.replicas !== replicas) return false;
  const active = world.podsOfDeployment(deployment).filter(isPodActive);
  const own = active.filter((pod) => controllerOf(pod)?.uid === current.metadata.uid);
  const minReadySeconds = spec?.minReadySeconds ?? 0;
  return (
    active.length === replicas &&
    own.length === replicas &&
    own.every((pod) => isAvailable(pod, minReadySeconds, nowMs, 0)) &&
    world.replicaSetsOf(deployment).every((one) => one === current || one.spec?.replicas === 0) &&
    world.replicaSetsOf(deployment).every((one) => one.status?.observedGeneration === one.metadata.generation)
  );
}
