import { MAX_NODE_SCORE, type ScorePlugin } from '../framework/Plugin.ts';

/** Prefers the nodes whose CPU and memory would be requested in like parts. A pod that requests neither is not rated. */
export const nodeResourcesBalancedAllocation: ScorePlugin = {
  name: 'NodeResourcesBalancedAllocation',
  weight: 1,
  score({ requests }, nodes) {
    if (!requests['cpu'] && !requests['memory']) return undefined;
    return nodes.map(({ allocatable, pods: { requested } }) => {
      const fractions = ['cpu', 'memory'].flatMap((name) => {
        const capacity = allocatable[name] ?? 0;
        return capacity === 0 ? [] : [Math.min(1, ((requested[name] ?? 0) + (requests[name] ?? 0)) / capacity)];
      });
      // The standard deviation of two numbers is half of their distance.
      const [cpu = 0, memory = cpu] = fractions;
      return Math.floor((1 - Math.abs(cpu - memory) / 2) * MAX_NODE_SCORE);
    });
  },
};
