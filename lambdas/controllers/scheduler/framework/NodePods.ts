import { PodGroups } from './PodGroups.ts';
import type { PodInfo } from './PodInfo.ts';
import type { Resource } from './Resource.ts';

/** The pods on one node, and what they request together. */
export class NodePods {
  readonly groups = new PodGroups();
  readonly #pods = new Map<string, PodInfo>();
  readonly #requested: Record<string, number> = {};
  readonly #nonZeroRequested: Record<string, number> = {};

  static of(pods: Iterable<PodInfo>): NodePods {
    const made = new NodePods();
    for (const pod of pods) made.add(pod);
    return made;
  }

  /** All of them. Takes time for each. */
  get all(): readonly PodInfo[] {
    return [...this.#pods.values()];
  }

  get count(): number {
    return this.#pods.size;
  }

  /** The sum of the pods' requests. */
  get requested(): Resource {
    return this.#requested;
  }

  /** The same for scores, with a small request for each container that has none. */
  get nonZeroRequested(): Resource {
    return this.#nonZeroRequested;
  }

  /** Adds a pod, or replaces an earlier state of it. */
  add(pod: PodInfo): void {
    this.remove(pod.pod.metadata.uid);
    this.#pods.set(pod.pod.metadata.uid, pod);
    this.#count(pod, 1);
  }

  remove(uid: string): void {
    const held = this.#pods.get(uid);
    if (!held) return;
    this.#pods.delete(uid);
    this.#count(held, -1);
  }

  /** Returns a copy that can be changed without changing this one. Takes time for each pod. */
  clone(): NodePods {
    return NodePods.of(this.#pods.values());
  }

  #count(pod: PodInfo, sign: 1 | -1): void {
    if (sign === 1) this.groups.add(pod);
    else this.groups.remove(pod);
    addTo(this.#requested, pod.requests, sign);
    addTo(this.#nonZeroRequested, pod.nonZeroRequests, sign);
  }
}

function addTo(sums: Record<string, number>, amounts: Resource, sign: 1 | -1): void {
  for (const name in amounts) sums[name] = (sums[name] ?? 0) + sign * (amounts[name] ?? 0);
}
