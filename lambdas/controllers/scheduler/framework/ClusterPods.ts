import type { Pod } from '../../../objects/kinds.ts';
import { isPodTerminal } from '../../../objects/pods/podState.ts';
import { isPending } from '../isPlainPod.ts';
import { allTermsOf } from './AffinityTerm.ts';
import { NodePods } from './NodePods.ts';
import { type PodInfo, podInfoOf } from './PodInfo.ts';

/** All pods that have not ended, as the scheduler looks for them. It is brought up to date by one pod after the other, and what it answers takes no longer with more pods that do not matter. */
export class ClusterPods {
  readonly #all = new Map<string, Pod>();
  readonly #byNode = new Map<string, NodePods>();
  readonly #pending = new Map<string, Pod>();
  readonly #nominated = new Map<string, Pod>();
  /** How many bound pods have each priority. */
  readonly #priorities = new Map<number, number>();
  #repelling = 0;
  #selectingNamespaces = 0;
  #withTerms = 0;

  static of(pods: Iterable<Pod>): ClusterPods {
    const made = new ClusterPods();
    for (const pod of pods) made.put(pod);
    return made;
  }

  /** Those for our scheduler that have no node. */
  get pending(): readonly Pod[] {
    return [...this.#pending.values()];
  }

  /** Those that wait for the node that they were nominated for. */
  get nominated(): readonly Pod[] {
    return [...this.#nominated.values()];
  }

  /** Whether there are pods with a required anti-affinity. */
  get areAnyRepelling(): boolean {
    return this.#repelling > 0;
  }

  /** Whether any pod wants to be near others, or far from them. */
  get areAnyTerms(): boolean {
    return this.#withTerms > 0;
  }

  /** Whether a term of any pod selects namespaces by their labels. */
  get areAnySelectingNamespaces(): boolean {
    return this.#selectingNamespaces > 0;
  }

  /** The lowest priority of a pod that has a node; Infinity if none has one. */
  get lowestBoundPriority(): number {
    return Math.min(...this.#priorities.keys());
  }

  /** The pods on that node, which need not exist. */
  on(nodeName: string): NodePods {
    return this.#byNode.get(nodeName) ?? new NodePods();
  }

  /** Adds a pod, or replaces its earlier state. */
  put(pod: Pod): void {
    this.remove(pod.metadata.uid);
    if (isPodTerminal(pod)) return;
    this.#all.set(pod.metadata.uid, pod);
    this.#sort(pod, 1);
  }

  remove(uid: string): void {
    const pod = this.#all.get(uid);
    if (!pod) return;
    this.#all.delete(uid);
    this.#sort(pod, -1);
  }

  #sort(pod: Pod, sign: 1 | -1): void {
    const info = podInfoOf(pod);
    const { nodeName = '' } = info.spec;
    if (info.terms.requiredAntiAffinity.length > 0) this.#repelling += sign;
    if (allTermsOf(info.terms).length > 0) this.#withTerms += sign;
    if (info.terms.selectsNamespaces) this.#selectingNamespaces += sign;
    if (nodeName === '') this.#sortUnbound(pod, sign);
    else this.#sortBound(info, nodeName, sign);
  }

  #sortUnbound(pod: Pod, sign: 1 | -1): void {
    const { uid, deletionTimestamp } = pod.metadata;
    const isNominated = deletionTimestamp === undefined && (pod.status?.nominatedNodeName ?? '') !== '';
    if (isNominated) setOrDelete(this.#nominated, uid, sign === 1 ? pod : undefined);
    if (isPending(pod)) setOrDelete(this.#pending, uid, sign === 1 ? pod : undefined);
  }

  #sortBound(info: PodInfo, nodeName: string, sign: 1 | -1): void {
    const left = (this.#priorities.get(info.priority) ?? 0) + sign;
    setOrDelete(this.#priorities, info.priority, left === 0 ? undefined : left);
    const pods = this.on(nodeName);
    if (sign === 1) pods.add(info);
    else pods.remove(info.pod.metadata.uid);
    setOrDelete(this.#byNode, nodeName, pods.count === 0 ? undefined : pods);
  }
}

function setOrDelete<K, V>(map: Map<K, V>, key: K, value: V | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}
