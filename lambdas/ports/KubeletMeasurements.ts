import type { Node } from '../objects/kinds.ts';
import type { NodePoints } from '../objects/nodes/measureUsage.ts';

/** What kubelets measure. It never rejects, and its work and what it remembers are bounded, whatever kubelets answer. */
export interface KubeletMeasurements {
  /** Returns what is known of each of these nodes, by name. A node whose kubelet could not be asked, or does not answer in time or as it should, is left out. */
  of(nodes: readonly Node[]): Promise<ReadonlyMap<string, NodePoints>>;
}
