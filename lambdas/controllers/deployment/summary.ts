import { REVISION } from '../../objects/deployments/deploymentAnnotations.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { availableReplicas, currentReplicas, desiredReplicas, isActive, isObserved } from './replicaSets.ts';
import { isRollingUpdate, resolveFenceposts } from './resolveFenceposts.ts';
import { allReplicaSets, findRollout, type Rollout, type World } from './Rollout.ts';

/** The new ReplicaSet, and the old ones that have pods or will have some: those that a report shows. Old ones first. Pure. */
export function shownReplicaSets(rollout: Rollout): readonly ReplicaSet[] {
  return allReplicaSets(rollout).filter(
    (one) => one === rollout.newReplicaSet || isActive(one) || currentReplicas(one) > 0,
  );
}

/** What a sync observed, small and readable, for its report: counts of the Deployment and of the shown ReplicaSets. Pure. */
export function summaryOf(world: World): Readonly<Record<string, unknown>> {
  const rollout = findRollout(world.deployment, world.replicaSets);
  const shown = shownReplicaSets(rollout);
  return {
    deployment: deploymentSummary(world.deployment),
    replicaSets: shown.map((one) => replicaSetSummary(one, one === rollout.newReplicaSet)),
    retired: world.replicaSets.length - shown.length,
  };
}

function deploymentSummary(deployment: Deployment): Readonly<Record<string, unknown>> {
  const { metadata, spec, status } = deployment;
  const { ceiling, floor } = resolveFenceposts(deployment);
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
