import type { Node } from '../../../objects/kinds.ts';
import { boundlessResources } from '../../../objects/nodes/boundlessResources.ts';
import type { PodInfo } from './PodInfo.ts';
import { type Resource, resourceOf } from './Resource.ts';

type Sums = Pick<NodeInfo, 'requested' | 'nonZeroRequested'>;

/** A node with the pods on it: those that are bound, and those that this sync has decided to bind (Kubernetes calls them assumed). */
export class NodeInfo {
  readonly node: Node;
  readonly allocatable: Resource;
  readonly #pods: Map<string, PodInfo>;
  readonly #requested: Record<string, number>;
  readonly #nonZeroRequested: Record<string, number>;

  private constructor(node: Node, allocatable: Resource, pods: ReadonlyMap<string, PodInfo>, sums: Sums) {
    this.node = node;
    this.allocatable = allocatable;
    this.#pods = new Map(pods);
    this.#requested = { ...sums.requested };
    this.#nonZeroRequested = { ...sums.nonZeroRequested };
  }

  /** Returns the node without pods. */
  static of(node: Node): NodeInfo {
    return new NodeInfo(node, resourceOf(node.status?.allocatable), new Map(), { requested: {}, nonZeroRequested: {} });
  }

  get name(): string {
    return this.node.metadata.name;
  }

  get labels(): Readonly<Record<string, string>> {
    return this.node.metadata.labels ?? {};
  }

  get pods(): readonly PodInfo[] {
    return [...this.#pods.values()];
  }

  /** The pods that want to be near others, or far from them. */
  get podsWithAffinity(): readonly PodInfo[] {
    return this.pods.filter(({ spec }) => spec.affinity?.podAffinity ?? spec.affinity?.podAntiAffinity);
  }

  /** What pods do not take away from each other here. */
  get boundless(): ReadonlySet<string> {
    return boundlessResources(this.node);
  }

  get podCount(): number {
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

  add(pod: PodInfo): void {
    this.remove(pod);
    this.#pods.set(pod.pod.metadata.uid, pod);
    this.#count(pod, 1);
  }

  remove(pod: PodInfo): void {
    const held = this.#pods.get(pod.pod.metadata.uid);
    if (!held) return;
    this.#pods.delete(pod.pod.metadata.uid);
    this.#count(held, -1);
  }

  /** Returns a copy that can be changed without changing this one. */
  clone(): NodeInfo {
    return new NodeInfo(this.node, this.allocatable, this.#pods, this);
  }

  #count({ requests, nonZeroRequests }: PodInfo, sign: 1 | -1): void {
    for (const [name, amount] of Object.entries(requests))
      this.#requested[name] = (this.#requested[name] ?? 0) + sign * amount;
    for (const [name, amount] of Object.entries(nonZeroRequests))
      this.#nonZeroRequested[name] = (this.#nonZeroRequested[name] ?? 0) + sign * amount;
  }
}
