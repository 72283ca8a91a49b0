import type { Node } from '../../../objects/kinds.ts';
import type { Labels } from '../../../objects/selectors/labelRequirement.ts';
import type { ClusterPods } from './ClusterPods.ts';
import { NodeInfo } from './NodeInfo.ts';
import { type PodInfo, podInfoOf } from './PodInfo.ts';
import { type Claim, NO_VOLUMES, type Volume, type Volumes } from './Volumes.ts';

/** What pods may depend on besides nodes and other pods. Absent: none of it exists. */
export interface Surroundings {
  /** Absent: pods may want to be near others, or far from them. */
  readonly areAnyTerms?: boolean;
  readonly namespaceLabels?: ReadonlyMap<string, Labels>;
  readonly volumes?: Volumes;
}

/** Claims and volumes as a sync will write them. */
export interface AssumedVolumes {
  readonly claims: readonly Claim[];
  readonly volumes: readonly Volume[];
}

/** The cluster as a sync sees it. Decisions change it: a pod that is to be bound takes its room at once. */
export class Snapshot {
  readonly nodes: readonly NodeInfo[];
  readonly namespaceLabels: ReadonlyMap<string, Labels>;
  /** Whether any pod wants to be near others, or far from them. */
  readonly areAnyTerms: boolean;
  #volumes: Volumes;
  readonly #byName: ReadonlyMap<string, NodeInfo>;
  readonly #nominated: Map<string, PodInfo[]>;
  /** What was added to nodes. */
  readonly #assumed: { readonly node: NodeInfo; readonly uid: string }[] = [];

  constructor(
    nodes: readonly NodeInfo[],
    { areAnyTerms = true, namespaceLabels = new Map(), volumes = NO_VOLUMES }: Surroundings,
    nominated: ReadonlyMap<string, readonly PodInfo[]> = new Map(),
  ) {
    this.nodes = nodes;
    this.namespaceLabels = namespaceLabels;
    this.areAnyTerms = areAnyTerms;
    this.#volumes = volumes;
    this.#byName = new Map(nodes.map((node) => [node.name, node]));
    this.#nominated = new Map([...nominated].map(([name, pods]) => [name, [...pods]]));
  }

  /** The nodes with their pods, which the snapshot changes: `forgetAssumed` takes back what it has added. A pod that waits for the node it was nominated for is remembered there. */
  static of(nodes: readonly Node[], pods: ClusterPods, surroundings: Surroundings): Snapshot {
    const snapshot = new Snapshot(
      nodes.map((node) => new NodeInfo(node, pods.on(node.metadata.name))),
      { ...surroundings, areAnyTerms: pods.areAnyTerms },
    );
    for (const pod of pods.nominated) snapshot.nominate(podInfoOf(pod), pod.status?.nominatedNodeName ?? '');
    return snapshot;
  }

  get volumes(): Volumes {
    return this.#volumes;
  }

  /** Replaces claims and volumes by what was decided about them. */
  assumeVolumes({ claims, volumes }: AssumedVolumes): void {
    this.#volumes = {
      ...this.#volumes,
      claims: new Map([
        ...this.#volumes.claims,
        ...claims.map((one): [string, Claim] => [`${one.metadata.namespace ?? ''}/${one.metadata.name}`, one]),
      ]),
      volumes: new Map([...this.#volumes.volumes, ...volumes.map((one): [string, Volume] => [one.metadata.name, one])]),
    };
  }

  /** Puts a pod, which was on no node, where it is to be bound. */
  assumePod(pod: PodInfo, nodeName: string): void {
    const node = this.node(nodeName);
    if (!node) return;
    node.pods.add(pod);
    this.#assumed.push({ node, uid: pod.pod.metadata.uid });
  }

  /** Takes the pods away again that were only to be bound. */
  forgetAssumed(): void {
    for (const { node, uid } of this.#assumed.splice(0)) node.pods.remove(uid);
  }

  node(name: string): NodeInfo | undefined {
    return this.#byName.get(name);
  }

  labelsOf(namespace: string): Labels {
    return this.namespaceLabels.get(namespace) ?? {};
  }

  /** The pods that wait for room on this node, which was made for them. */
  nominatedFor(nodeName: string): readonly PodInfo[] {
    return this.#nominated.get(nodeName) ?? [];
  }

  /** Records that the pod waits for this node; `''`: for none. */
  nominate(pod: PodInfo, nodeName: string): void {
    const { uid } = pod.pod.metadata;
    for (const [name, pods] of this.#nominated)
      this.#nominated.set(
        name,
        pods.filter((other) => other.pod.metadata.uid !== uid),
      );
    if (nodeName !== '') this.#nominated.set(nodeName, [...this.nominatedFor(nodeName), pod]);
  }

  /** Returns the same cluster with another state of one node. */
  with(changed: NodeInfo): Snapshot {
    const nodes = this.nodes.map((node) => (node.name === changed.name ? changed : node));
    return new Snapshot(nodes, this, this.#nominated);
  }
}
