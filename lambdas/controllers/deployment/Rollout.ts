import type { Deployment, Pod, ReplicaSet } from '../../objects/kinds.ts';
import { templatesEqual } from '../../objects/pods/podTemplateHash.ts';
import type { Reason, Wait } from '../Reason.ts';
import { replicasAnnotations } from './replicaSetAnnotations.ts';
import { byAge, isObserved } from './replicaSets.ts';

/** What a sync sees: the Deployment, the ReplicaSets that it owns, and the pods that its decision needs (see `observeDeployment`). */
export interface World {
  readonly deployment: Deployment;
  readonly replicaSets: readonly ReplicaSet[];
  readonly pods: readonly Pod[];
  readonly nowMs: number;
}

/** The ReplicaSets by their role. */
export interface Rollout {
  readonly deployment: Deployment;
  /** The ReplicaSet with the Deployment's template; absent if it is still to be created. */
  readonly newReplicaSet: ReplicaSet | undefined;
  /** All others, oldest first, also those without pods. */
  readonly oldReplicaSets: readonly ReplicaSet[];
}

/** A size to give to a ReplicaSet. Its replica annotations are brought up to date with it, even if the size stays. */
export interface Resize {
  readonly replicaSet: ReplicaSet;
  readonly replicas: number;
  /** A size on the way, which Kubernetes writes first. Here it is not written, but has its event. */
  readonly via?: number;
}

/** The next sizes, all up or all down, or what is waited for before sizes can change. */
export interface Scaling {
  readonly resizes: readonly Resize[];
  readonly why: readonly Reason[];
  readonly waitsFor: readonly Wait[];
}

export const NO_SCALING: Scaling = { resizes: [], why: [], waitsFor: [] };

export function findRollout(deployment: Deployment, replicaSets: readonly ReplicaSet[]): Rollout {
  return rolloutTo(deployment, replicaSets, findNewReplicaSet(deployment, replicaSets));
}

/** The rollout to that ReplicaSet. */
export function rolloutTo(
  deployment: Deployment,
  replicaSets: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet | undefined,
): Rollout {
  return { deployment, newReplicaSet, oldReplicaSets: findOldReplicaSets(replicaSets, newReplicaSet) };
}

/** `FindNewReplicaSet`: the ReplicaSet with the Deployment's template. Adoption can bring several; the oldest is the new one then. Pure. */
export function findNewReplicaSet(deployment: Deployment, replicaSets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const template = deployment.spec?.template;
  return replicaSets.toSorted(byAge).find(({ spec }) => templatesEqual(spec?.template, template));
}

/** `FindOldReplicaSets`: all others, oldest first. Kubernetes returns those with pods as a second list; here `isActive` filters them. Pure. */
function findOldReplicaSets(
  replicaSets: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet | undefined,
): readonly ReplicaSet[] {
  return replicaSets.filter((replicaSet) => replicaSet !== newReplicaSet).toSorted(byAge);
}

/** Old ones first, as Kubernetes lists them. */
export function allReplicaSets({ newReplicaSet, oldReplicaSets }: Rollout): readonly ReplicaSet[] {
  return newReplicaSet ? [...oldReplicaSets, newReplicaSet] : oldReplicaSets;
}

/** The rollout after the sizes were given. Pure. */
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
  const annotations = { ...replicaSet.metadata.annotations, ...replicasAnnotations(deployment) };
  return {
    ...replicaSet,
    metadata: { ...replicaSet.metadata, annotations },
    spec: { ...replicaSet.spec, replicas } as NonNullable<ReplicaSet['spec']>,
  };
}

/**
 * The ReplicaSets whose status does not reflect their spec yet, for which every step must wait. Kubernetes goes on and bounds the sum of specs; we bound pods. Suppose one goes
 * from 3 to 5 and back to 3 while its status is still about the first 3: five pods may exist, and neither number says so.
 */
export function unobserved(rollout: Rollout): readonly Wait[] {
  return allReplicaSets(rollout)
    .filter((replicaSet) => !isObserved(replicaSet))
    .map(({ metadata: { name, generation = 0 }, status }) => ({
      wait: 'observed',
      name,
      generation,
      observed: status?.observedGeneration ?? 0,
    }));
}
