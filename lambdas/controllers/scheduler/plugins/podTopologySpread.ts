import type { FilterPlugin, Misfit } from '../framework/Plugin.ts';
import type { PodInfo } from '../framework/PodInfo.ts';
import type { Snapshot } from '../framework/Snapshot.ts';
import { countMatching, isCounted, type SpreadConstraint, spreadConstraintsOf } from './spreadConstraints.ts';

const SKEWED: Misfit = { reasons: ["node(s) didn't match pod topology spread constraints"], isResolvable: true };
const NO_LABEL: Misfit = {
  reasons: ["node(s) didn't match pod topology spread constraints (missing required label)"],
  isResolvable: false,
};

/** Keeps pods from places that have too many of their kind already: `whenUnsatisfiable: DoNotSchedule`. */
export const podTopologySpread: FilterPlugin = {
  name: 'PodTopologySpread',
  prepare(pod, cluster) {
    const constraints = spreadConstraintsOf(pod, 'DoNotSchedule');
    if (constraints.length === 0) return undefined;
    const counts = constraints.map((one) => countByPlace(pod, cluster, constraints, one));
    return ({ labels }) => {
      for (const [at, constraint] of constraints.entries()) {
        const place = labels[constraint.topologyKey];
        if (place === undefined) return NO_LABEL;
        if (skewAt(place, counts[at] ?? new Map(), constraint, pod) > constraint.maxSkew) return SKEWED;
      }
      return undefined;
    };
  },
};

/** How many more pods the place would have than the one with the fewest. If there are too few places, one with none is imagined (`minDomains`). */
function skewAt(
  place: string,
  counts: ReadonlyMap<string, number>,
  { matches, minDomains }: SpreadConstraint,
  pod: PodInfo,
): number {
  // Kubernetes' smallest count of no places at all is larger than any count.
  const fewest = counts.size < minDomains ? 0 : Math.min(...counts.values(), Number.MAX_SAFE_INTEGER);
  return (counts.get(place) ?? 0) + (matches(pod) ? 1 : 0) - fewest;
}

/** Counts the matching pods in each place that has a node which counts. */
function countByPlace(
  pod: PodInfo,
  cluster: Snapshot,
  constraints: readonly SpreadConstraint[],
  constraint: SpreadConstraint,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const node of cluster.nodes) {
    if (!constraints.every(({ topologyKey }) => Object.hasOwn(node.labels, topologyKey))) continue;
    if (!isCounted(pod, node, constraint)) continue;
    const place = node.labels[constraint.topologyKey] ?? '';
    counts.set(place, (counts.get(place) ?? 0) + countMatching(node, constraint));
  }
  return counts;
}
