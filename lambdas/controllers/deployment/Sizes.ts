import type { Wait } from './deploymentReasons.ts';
import { byAge } from './replicaSets.ts';
import { type SizedReplicaSet, withReplicas } from './SizedReplicaSet.ts';
import type { Resize } from './Step.ts';

/** The ReplicaSets of a rollout by their role, and the sums of their counts. */
export interface Sizes {
  /** The ReplicaSet that is rolled out, which has the Deployment's template unless that is held; absent if it is still to be created. */
  readonly newReplicaSet: SizedReplicaSet | undefined;
  /** `FindOldReplicaSets`: all others, oldest first, also those without pods. */
  readonly oldReplicaSets: readonly SizedReplicaSet[];
  /** Old ones first, as Kubernetes lists them. */
  readonly all: readonly SizedReplicaSet[];
  readonly sums: Sums;
  /**
   * The ReplicaSets whose status does not reflect their spec yet, for which every step must wait. Kubernetes goes on and bounds the sum of specs; we bound pods. Suppose one goes
   * from 3 to 5 and back to 3 while its status is still about the first 3: five pods may exist, and neither number says so.
   */
  readonly unobserved: readonly Wait[];
}

/** `GetReplicaCountForReplicaSets` and its siblings. */
export type Sums = Readonly<
  Record<'desired' | 'current' | 'ready' | 'available' | 'possiblePods' | 'lastingAvailable', number>
>;

/** The ReplicaSets with that one as the new one. Pure. */
export function sizesOf(replicaSets: readonly SizedReplicaSet[], newReplicaSet: SizedReplicaSet | undefined): Sizes {
  const others = replicaSets.filter(({ uid }) => uid !== newReplicaSet?.uid);
  const oldReplicaSets = others.toSorted((a, b) => byAge(a.stored, b.stored));
  const all = newReplicaSet ? [...oldReplicaSets, newReplicaSet] : oldReplicaSets;
  return { newReplicaSet, oldReplicaSets, all, sums: sumsOf(all), unobserved: all.flatMap(waitUntilObserved) };
}

/** The ReplicaSets after sizes were given to some. Pure. */
export function resized({ all, newReplicaSet }: Sizes, resizes: readonly Resize[]): Sizes {
  const sizes = new Map(resizes.map(({ replicaSet, replicas }) => [replicaSet.uid, replicas]));
  const resize = (one: SizedReplicaSet) => withReplicas(one, sizes.get(one.uid) ?? one.desired);
  return sizesOf(all.map(resize), newReplicaSet && resize(newReplicaSet));
}

function sumsOf(all: readonly SizedReplicaSet[]): Sums {
  const sumOf = (count: keyof Sums) => all.reduce((sum, replicaSet) => sum + replicaSet[count], 0);
  return {
    desired: sumOf('desired'),
    current: sumOf('current'),
    ready: sumOf('ready'),
    available: sumOf('available'),
    possiblePods: sumOf('possiblePods'),
    lastingAvailable: sumOf('lastingAvailable'),
  };
}

function waitUntilObserved({ isObserved, name, stored }: SizedReplicaSet): Wait[] {
  if (isObserved) return [];
  const { generation = 0 } = stored.metadata;
  return [{ wait: 'observed', name, generation, observed: stored.status?.observedGeneration ?? 0 }];
}
