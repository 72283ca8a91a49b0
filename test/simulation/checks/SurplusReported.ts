import type { ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import { nameOf, type World } from '../World.ts';
import type { Check } from './Check.ts';
import { selects } from './Ownership.ts';
import { ENGINES, type PodHistory } from './PodHistory.ts';

/**
 * A status never hides pods that are too many. A Deployment waits until a ReplicaSet's status says that the surplus is gone; if it counted too few pods for the generation that it names, the
 * Deployment would let another ReplicaSet grow above the ceiling. A sync settles what earlier syncs left under way before it writes the status, so it knows of every pod that was created.
 *
 * Pods that were adopted since the sync began do not count: an adoption that an earlier sync sent may take effect late. Nor do pods that the owner does not select any more: they are not its replicas.
 */
export class SurplusReported implements Check {
  readonly #world: World;
  readonly #pods: PodHistory;

  constructor(world: World, pods: PodHistory) {
    this.#world = world;
    this.#pods = pods;
  }

  onWrite({ writer, trail, change }: AuditedWrite): string | undefined {
    if (!ENGINES.has(writer) || !trail || change.resource === 'pods' || change.type !== 'MODIFIED') return undefined;
    const owner = change.after as unknown as ReplicaSet;
    const { uid, generation } = owner.metadata;
    if (owner.status?.observedGeneration !== generation) return undefined;
    const { replicas: wanted = 1 } = owner.spec ?? {};
    const { replicas: counted = 0 } = owner.status ?? {};
    const own = this.#world
      .activePodsOf(uid)
      .filter((pod) => selects(owner, pod) && !this.#pods.wasAdoptedSince(pod.metadata.uid, uid, trail.beganMs));
    if (own.length <= wanted || counted >= own.length) return undefined;
    return `the status of ${nameOf(owner)} counts ${counted} pods, but there are ${own.length}, of which it wants ${wanted}`;
  }
}
