import { REVISION } from '../../objects/deploymentAnnotations.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { fencepostsOf, isRollingUpdate } from './fenceposts.ts';
import { availableReplicas, currentReplicas, desiredReplicas, isActive, isObserved } from './replicaCounts.ts';
import { allReplicaSets, findRollout, type World } from './Rollout.ts';

/** What a sync saw, small and readable, for its report: counts of the Deployment and of each ReplicaSet that has, had or is to have pods. Pure. */
export function summaryOf(world: World): Readonly<Record<string, unknown>> {
  const rollout = findRollout(world.deployment, world.replicaSets);
  const shown = allReplicaSets(rollout).filter(
    (one) => one === rollout.newReplicaSet || isActive(one) || currentReplicas(one) > 0,
  );
  return {
    deployment: deploymentSummary(world.deployment),
    replicaSets: shown.map((one) => replicaSetSummary(one, one === rollout.newReplicaSet)),
    retired: world.replicaSets.length - shown.length,
  };
}

function deploymentSummary(deployment: Deployment): Readonly<Record<string, unknown>> {
  const { metadata, spec, status } = deployment;
  const { ceiling, floor } = fencepostsOf(deployment);
  return {
    generation: metadata.generation ?? 0,
    observedGeneration: status?.observedGeneration ?? 0,
    strategy: spec?.strategy?.type,
    ...(spec?.paused === true && { paused: true }),
    desired: desiredReplicas(deployment),
    current: status?.replicas ?? 0,
    updated: status?.updatedReplicas ?? 0,
    ready: status?.readyReplicas ?? 0,
    available: status?.availableReplicas ?? 0,
    ...(isRollingUpdate(deployment) && { atMost: ceiling, atLeastAvailable: floor }),
  };
}

function replicaSetSummary(replicaSet: ReplicaSet, isNew: boolean): Readonly<Record<string, unknown>> {
  const { metadata, status } = replicaSet;
  return {
    name: metadata.name,
    part: isNew ? 'new' : 'old',
    revision: metadata.annotations?.[REVISION],
    desired: desiredReplicas(replicaSet),
    current: currentReplicas(replicaSet),
    ready: status?.readyReplicas ?? 0,
    available: availableReplicas(replicaSet),
    ...(!isObserved(replicaSet) && { observed: false }),
  };
}
