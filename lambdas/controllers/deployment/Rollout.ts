import { DESIRED_REPLICAS, MAX_REPLICAS } from '../../objects/deploymentAnnotations.ts';
import type { Deployment, Pod, ReplicaSet } from '../../objects/kinds.ts';
import { templatesEqual } from '../../objects/podTemplateHash.ts';
import { fencepostsOf } from './fenceposts.ts';
import { desiredReplicas } from './replicaCounts.ts';
import { byAge } from './replicaSetOrder.ts';

/** What a sync sees: the Deployment, the ReplicaSets that it owns, and what pods it asked for (see `observeDeployment`). */
export interface World {
  readonly deployment: Deployment;
  readonly replicaSets: readonly ReplicaSet[];
  readonly pods: readonly Pod[];
  readonly nowMs: number;
}

/** The ReplicaSets by the part that they play. */
export interface Rollout {
  readonly deployment: Deployment;
  /** The one whose template is the Deployment's; absent if it is still to be created. */
  readonly newReplicaSet: ReplicaSet | undefined;
  /** All others, oldest first, those without pods too. */
  readonly oldReplicaSets: readonly ReplicaSet[];
}

/** A size that a ReplicaSet is to be given; its replica annotations are brought up to date with it, even if the size stays. */
export interface Resize {
  readonly replicaSet: ReplicaSet;
  readonly replicas: number;
}

/** One step of a rollout: sizes to give, all up or all down, or what is waited for before the next one. */
export interface Step {
  readonly resizes: readonly Resize[];
  /** Sentences with the arithmetic behind it. */
  readonly why: readonly string[];
  readonly waitsFor: readonly string[];
}

export const NO_STEP: Step = { resizes: [], why: [], waitsFor: [] };

/** `FindNewReplicaSet` and `FindOldReplicaSets`: of several with the Deployment's template, as adoption can bring them, the oldest is the new one. Pure. */
export function findRollout(deployment: Deployment, replicaSets: readonly ReplicaSet[]): Rollout {
  const template = deployment.spec?.template;
  const newReplicaSet = replicaSets.toSorted(byAge).find(({ spec }) => templatesEqual(spec?.template, template));
  return rolloutTo(deployment, replicaSets, newReplicaSet);
}

/** The rollout in which that ReplicaSet plays the new one. */
export function rolloutTo(
  deployment: Deployment,
  replicaSets: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet | undefined,
): Rollout {
  const oldReplicaSets = replicaSets.filter((replicaSet) => replicaSet !== newReplicaSet).toSorted(byAge);
  return { deployment, newReplicaSet, oldReplicaSets };
}

/** Old ones first, as Kubernetes lists them. */
export function allReplicaSets({ newReplicaSet, oldReplicaSets }: Rollout): readonly ReplicaSet[] {
  return newReplicaSet ? [...oldReplicaSets, newReplicaSet] : oldReplicaSets;
}

/** The rollout once the sizes are given. Pure. */
export function resized(rollout: Rollout, resizes: readonly Resize[]): Rollout {
  const sizes = new Map(resizes.map(({ replicaSet, replicas }) => [replicaSet.metadata.uid, replicas]));
  const resize = (replicaSet: ReplicaSet): ReplicaSet => {
    const replicas = sizes.get(replicaSet.metadata.uid);
    return replicas === undefined ? replicaSet : withReplicas(rollout.deployment, replicaSet, replicas);
  };
  return {
    deployment: rollout.deployment,
    newReplicaSet: rollout.newReplicaSet && resize(rollout.newReplicaSet),
    oldReplicaSets: rollout.oldReplicaSets.map(resize),
  };
}

function withReplicas(deployment: Deployment, replicaSet: ReplicaSet, replicas: number): ReplicaSet {
  const annotations = { ...replicaSet.metadata.annotations, ...replicaAnnotations(deployment) };
  return {
    ...replicaSet,
    metadata: { ...replicaSet.metadata, annotations },
    spec: { ...replicaSet.spec, replicas } as NonNullable<ReplicaSet['spec']>,
  };
}

/** What a ReplicaSet remembers of its Deployment's size, to tell scaling from rolling later and to know its share. */
export function replicaAnnotations(deployment: Deployment): Record<string, string> {
  return {
    [DESIRED_REPLICAS]: String(desiredReplicas(deployment)),
    [MAX_REPLICAS]: String(fencepostsOf(deployment).ceiling),
  };
}
