import type { NodeInfo } from '../framework/NodeInfo.ts';
import { type FilterPlugin, MAX_NODE_SCORE, type Misfit, type ScorePlugin } from '../framework/Plugin.ts';
import type { PodInfo } from '../framework/PodInfo.ts';

/** Keeps pods from nodes without room for what they request. */
export const nodeResourcesFit: FilterPlugin = {
  name: 'NodeResourcesFit',
  prepare: (pod) => (node) => resourceMisfit(pod, node),
};

/** Prefers the nodes of which the smallest part would be requested: Kubernetes' `LeastAllocated`, over CPU and memory. */
export const leastAllocated: ScorePlugin = {
  name: 'NodeResourcesFit',
  weight: 1,
  score: ({ nonZeroRequests }, nodes) =>
    nodes.map(({ allocatable, pods: { nonZeroRequested } }) => {
      const scores = ['cpu', 'memory'].flatMap((name) => {
        const capacity = allocatable[name] ?? 0;
        if (capacity === 0) return [];
        const free = capacity - (nonZeroRequested[name] ?? 0) - (nonZeroRequests[name] ?? 0);
        return [free < 0 ? 0 : Math.floor((free * MAX_NODE_SCORE) / capacity)];
      });
      return scores.length === 0 ? 0 : Math.floor(scores.reduce((sum, score) => sum + score, 0) / scores.length);
    }),
};

/** As Kubernetes' `fitsRequest`; of what a node has without bound nobody takes anything away. Nothing helps a pod that asks for more than the empty node has. */
function resourceMisfit(
  { requests }: PodInfo,
  { allocatable, boundless, pods: { count, requested } }: NodeInfo,
): Misfit | undefined {
  const reasons = count + 1 > (allocatable['pods'] ?? 0) ? ['Too many pods'] : [];
  let isResolvable = true;
  for (const [name, amount] of Object.entries(requests)) {
    const capacity = allocatable[name] ?? 0;
    const taken = boundless.has(name) ? 0 : (requested[name] ?? 0);
    if (amount === 0 || amount <= capacity - taken) continue;
    reasons.push(`Insufficient ${name}`);
    if (amount > capacity) isResolvable = false;
  }
  return reasons.length === 0 ? undefined : { reasons, isResolvable };
}
