import type { NodeInfo } from './NodeInfo.ts';

/** Counts by place: a topology key, such as `topology.kubernetes.io/zone`, and its value, which nodes have as a label. */
export class TopologyCounts {
  readonly #counts = new Map<string, Map<string, number>>();

  /** Whether nothing was counted. */
  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  /** Counts at the node's place; a node without the label has none. */
  add(node: NodeInfo, topologyKey: string, count: number): void {
    const value = node.labels[topologyKey];
    if (value === undefined) return;
    const values = this.#counts.get(topologyKey) ?? new Map<string, number>();
    this.#counts.set(topologyKey, values);
    values.set(value, (values.get(value) ?? 0) + count);
  }

  /** Returns the count at the node's place. */
  at({ labels }: NodeInfo, topologyKey: string): number {
    const value = labels[topologyKey];
    return value === undefined ? 0 : (this.#counts.get(topologyKey)?.get(value) ?? 0);
  }

  /** Whether anything was counted at one of the node's places. */
  isAnyAt(node: NodeInfo): boolean {
    return [...this.#counts.keys()].some((key) => this.at(node, key) > 0);
  }

  /** Returns the sum of the counts at all of the node's places. */
  sumAt(node: NodeInfo): number {
    return [...this.#counts.keys()].reduce((sum, key) => sum + this.at(node, key), 0);
  }
}
