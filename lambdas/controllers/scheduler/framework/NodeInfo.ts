import type { Node } from '../../../objects/kinds.ts';
import { boundlessResources } from '../../../objects/nodes/boundlessResources.ts';
import { NodePods } from './NodePods.ts';
import { allocatableOf, type Resource } from './Resource.ts';

/** A node with the pods on it: those that are bound, and those that this sync has decided to bind (Kubernetes calls them assumed). */
export class NodeInfo {
  readonly node: Node;
  readonly allocatable: Resource;
  readonly pods: NodePods;

  constructor(node: Node, pods: NodePods = new NodePods()) {
    this.node = node;
    this.allocatable = allocatableOf(node);
    this.pods = pods;
  }

  get name(): string {
    return this.node.metadata.name;
  }

  get labels(): Readonly<Record<string, string>> {
    return this.node.metadata.labels ?? {};
  }

  /** What pods do not take away from each other here. */
  get boundless(): ReadonlySet<string> {
    return boundlessResources(this.node);
  }

  /** Returns a copy whose pods can be changed without changing this one. */
  clone(): NodeInfo {
    return new NodeInfo(this.node, this.pods.clone());
  }
}
