import { REVISION } from '../../objects/deployments/deploymentAnnotations.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import {
  availableReplicas,
  byAge,
  currentReplicas,
  desiredReplicas,
  findNewReplicaSet,
  isActive,
  isObserved,
} from './replicaSets.ts';
import { isRollingUpdate, resolveFenceposts } from './resolveFenceposts.ts';
import type { World } from './Rollout.ts';

/** A ReplicaSet as a report shows it. */
interface ShownReplicaSet {
  readonly replicaSet: ReplicaSet;
  readonly part: 'new' | 'old';
}

/** The new ReplicaSet, and the old ones that have pods or will have some: those that a report shows. Old ones first. Pure. */
export function shownReplicaSets(
  deployment: Deployment,
  replicaSets: readonly ReplicaSet[],
): readonly ShownReplicaSet[] {
  const newReplicaSet = findNewReplicaSet(deployment, replicaSets);
  const old = replicaSets.filter((one) => one !== newReplicaSet && (isActive(one) || currentReplicas(one) > 0));
  const shown: ShownReplicaSet[] = old.toSorted(byAge).map((replicaSet) => ({ replicaSet, part: 'old' }));
  return newReplicaSet ? [...shown, { replicaSet: newReplicaSet, part: 'new' }] : shown;
}

/** What a sync observed, small and readable, for its report: counts of the Deployment and of the shown ReplicaSets. Pure. */
export function summaryOf({ deployment, replicaSets }: World): Readonly<Record<string, unknown>> {
  const shown = shownReplicaSets(deployment, replicaSets);
  return {
    deployment: deploymentSummary(deployment),
    replicaSets: shown.map(replicaSetSummary),
    retired: replicaSets.length - shown.length,
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

function replicaSetSummary({ replicaSet, part }: ShownReplicaSet): Readonly<Record<string, unknown>> {
  const { metadata, status } = replicaSet;
  return {
    name: metadata.name,
    part,
    revision: metadata.annotations?.[REVISION],
    desired: desiredReplicas(replicaSet),
    current: currentReplicas(replicaSet),
    ready: status?.readyReplicas ?? 0,
    available: availableReplicas(replicaSet),
    ...(!isObserved(replicaSet) && { observed: false }),
  };
}
