import type { Pod, StatefulSet } from '../../../lambdas/objects/kinds.ts';
import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import { isPodReady, podAvailableAtMs } from '../../../lambdas/objects/pods/podState.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import type { SyncTrail } from '../SyncTrail.ts';
import { nameOf, type World } from '../World.ts';
import type { Check } from './Check.ts';

/** A name in a namespace, and what its pods were. */
interface Place {
  /** The time at which a pod of this name was last ready; the present one may be so still. */
  lastReadyMs: number;
  /** UIDs of pods that were deleted by a sync of their set, with the trail of that sync. */
  readonly taken: Map<string, SyncTrail | undefined>;
}

/** Two clocks may be this far apart, and the times of a pod have whole seconds. */
const LENIENCY_MS = 3_000;

/**
 * No pod of a StatefulSet comes or goes by a sync once a later sync of the set has written a pod. A pod is created with the revision that its ordinal asks for. An ordered set creates a pod only if all those with lower ordinals were ready when its sync began, or later. A pod is
 * deleted because it is not wanted, has ended, or has an old revision; then it is not below the partition, and with it not more pods are unavailable than may be, except for those that are so without the set's doing. Judged by what
 * the sync read.
 */
export class StatefulPods implements Check {
  readonly #world: World;
  readonly #places = new Map<string, Place>();
  /** The latest sync of each key that has written a pod. */
  readonly #latest = new Map<string, SyncTrail>();

  constructor(world: World) {
    this.#world = world;
  }

  onWrite({ writer, trail, change }: AuditedWrite, nowMs: number): string | undefined {
    if (change.resource !== 'pods') return undefined;
    const { before, after } = change as { before?: Pod; after?: Pod };
    this.#noteReadiness(before, after, nowMs);
    if (writer !== 'statefulset' || !trail) return undefined;
    const isCreation = !before;
    const isDeletion = before && !isLeaving(before) && (!after || isLeaving(after));
    if (!isCreation && !isDeletion) return undefined;
    const pod = (after ?? before) as Pod;
    const late = this.#judgeOrder(pod, trail);
    if (late !== undefined) return late;
    const set: StatefulSet | undefined = trail.subject;
    if (!set || controllerOf(pod)?.uid !== set.metadata.uid) return `${nameOf(pod)} is no pod of the set of its sync`;
    return before ? this.#judgeDeletion(before, set, trail) : this.#judgeCreation(pod, set, trail);
  }

  #noteReadiness(before: Pod | undefined, after: Pod | undefined, nowMs: number): void {
    const place = this.#placeOf((after ?? before) as Pod);
    const wasReady = before !== undefined && isPodReady(before) && !isLeaving(before);
    if (wasReady || (after && isPodReady(after) && !isLeaving(after))) place.lastReadyMs = nowMs;
  }

  #placeOf({ metadata: { namespace = '', name } }: Pod): Place {
    const known = this.#places.get(`${namespace}/${name}`);
    const place = known ?? { lastReadyMs: Number.NEGATIVE_INFINITY, taken: new Map() };
    if (!known) this.#places.set(`${namespace}/${name}`, place);
    return place;
  }

  #judgeOrder(pod: Pod, trail: SyncTrail): string | undefined {
    const key = `${trail.key.namespace}/${trail.key.name}`;
    const latest = this.#latest.get(key);
    if (latest && latest !== trail && latest.beganMs > trail.beganMs)
      return `${nameOf(pod)} was written by a sync that began before another one that has written pods`;
    this.#latest.set(key, trail);
    return undefined;
  }

  #judgeCreation(pod: Pod, set: StatefulSet, trail: SyncTrail): string | undefined {
    const { first, last } = rangeOf(set);
    const ordinal = ordinalOf(pod);
    if (ordinal < first || ordinal > last) return `${nameOf(pod)} was created, but ${first} to ${last} are wanted`;
    const wrong = this.#judgeRevision(pod, set);
    if (wrong !== undefined || set.spec?.podManagementPolicy === 'Parallel') return wrong;
    for (let lower = first; lower < ordinal; lower++) {
      if (!this.#wasReadySince(set, lower, trail.beganMs))
        return `${nameOf(pod)} was created before ${lower} was ready`;
    }
    return undefined;
  }

  /** Below the partition a pod gets the current revision, as long as that exists; the others get the template of the set. */
  #judgeRevision(pod: Pod, set: StatefulSet): string | undefined {
    const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
    const isBelow = type !== 'OnDelete' && ordinalOf(pod) < rangeOf(set).first + (rollingUpdate?.partition ?? 0);
    if (!isBelow) return hasImageOf(set, pod) ? undefined : `${nameOf(pod)} was created with an old template`;
    const { currentRevision = '' } = set.status ?? {};
    const exists = this.#world.get('controllerrevisions.apps', set.metadata.namespace ?? '', currentRevision);
    const isCurrent = pod.metadata.labels?.['controller-revision-hash'] === currentRevision;
    return exists && !isCurrent
      ? `${nameOf(pod)} is below the partition, and was not created with the current revision ${currentRevision}`
      : undefined;
  }

  /** True if a pod with the ordinal is ready now, or was so when the sync began or later. */
  #wasReadySince({ metadata }: StatefulSet, ordinal: number, sinceMs: number): boolean {
    const name = `${metadata.name}-${ordinal}`;
    const current = this.#world.get<Pod>('pods', metadata.namespace ?? '', name);
    if (current && isPodReady(current) && !isLeaving(current)) return true;
    return (this.#places.get(`${metadata.namespace ?? ''}/${name}`)?.lastReadyMs ?? -1) >= sinceMs;
  }

  #judgeDeletion(pod: Pod, set: StatefulSet, trail: SyncTrail): string | undefined {
    const { first, last } = rangeOf(set);
    const ordinal = ordinalOf(pod);
    const place = this.#placeOf(pod);
    place.taken.set(pod.metadata.uid, trail);
    const hasEnded = pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded';
    if (ordinal < first || ordinal > last || hasEnded) return undefined;
    const { type, rollingUpdate = {} } = set.spec?.updateStrategy ?? {};
    if (type === 'OnDelete') return `${nameOf(pod)} was deleted though its set is updated by deletions of others`;
    const { partition = 0 } = rollingUpdate;
    if (ordinal < first + partition) return `${nameOf(pod)} was deleted, but it is below the partition ${partition}`;
    const unavailable = this.#unavailableOf(set, trail, pod);
    const allowed = maxUnavailableOf(set);
    const isFree = set.spec?.podManagementPolicy === 'Parallel' && !isSurelyAvailable(set, pod, trail.beganMs);
    return !isFree && unavailable >= allowed
      ? `${nameOf(pod)} was deleted beside ${unavailable} unavailable pods, where ${allowed} may be`
      : undefined;
  }

  /** How many other pods that the set wants the sync must have known as unavailable, or has made so itself. */
  #unavailableOf(set: StatefulSet, trail: SyncTrail, deleted: Pod): number {
    const { first, last } = rangeOf(set);
    let unavailable = 0;
    for (let ordinal = first; ordinal <= last; ordinal++) {
      if (ordinal === ordinalOf(deleted)) continue;
      const place = this.#places.get(`${set.metadata.namespace ?? ''}/${set.metadata.name}-${ordinal}`);
      const isTaken = [...(place?.taken.values() ?? [])].includes(trail);
      if (isTaken || !this.#wasReadySince(set, ordinal, trail.beganMs - LENIENCY_MS)) unavailable += 1;
    }
    return unavailable;
  }
}

/** The ordinals of the pods that a set wants, from the first to the last. */
export function rangeOf({ spec }: StatefulSet): { readonly first: number; readonly last: number } {
  const first = spec?.ordinals?.start ?? 0;
  return { first, last: first + (spec?.replicas ?? 1) - 1 };
}

/** The number at the end of a pod's name. */
export function ordinalOf({ metadata }: Pod): number {
  return Number(metadata.name.split('-').at(-1));
}

function maxUnavailableOf({ spec }: StatefulSet): number {
  const { maxUnavailable = 1 } = spec?.updateStrategy?.rollingUpdate ?? {};
  if (typeof maxUnavailable === 'number') return maxUnavailable;
  return Math.max(1, Math.floor(((spec?.replicas ?? 1) * Number.parseInt(maxUnavailable, 10)) / 100));
}

/** By every clock. A pod is deleted as its sync has read it, so this is what the sync knew. */
function isSurelyAvailable({ spec }: StatefulSet, pod: Pod, nowMs: number): boolean {
  const availableAtMs = podAvailableAtMs(pod, spec?.minReadySeconds ?? 0);
  return availableAtMs !== undefined && availableAtMs + LENIENCY_MS <= nowMs;
}

function hasImageOf({ spec }: StatefulSet, pod: Pod): boolean {
  return pod.spec?.containers[0]?.image === spec?.template.spec?.containers[0]?.image;
}

function isLeaving({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}
