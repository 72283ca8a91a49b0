import type { FilterPlugin, ScorePlugin } from './framework/Plugin.ts';
import { interPodAffinity, interPodAffinityScore } from './plugins/interPodAffinity.ts';
import { nodeAffinity, nodeAffinityScore } from './plugins/nodeAffinity.ts';
import { nodePorts } from './plugins/nodePorts.ts';
import { nodeResourcesBalancedAllocation } from './plugins/nodeResourcesBalancedAllocation.ts';
import { leastAllocated, nodeResourcesFit } from './plugins/nodeResourcesFit.ts';
import { nodeUnschedulable } from './plugins/nodeUnschedulable.ts';
import { podTopologySpread } from './plugins/podTopologySpread.ts';
import { podTopologySpreadScore } from './plugins/podTopologySpreadScore.ts';
import { taintToleration, taintTolerationScore } from './plugins/taintToleration.ts';
import { volumeBinding } from './plugins/volumeBinding.ts';

/** The plugins that keep pods from nodes, in Kubernetes' order: the first that objects gives the reason. */
export const DEFAULT_FILTERS: readonly FilterPlugin[] = [
  nodeUnschedulable,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  volumeBinding,
  podTopologySpread,
  interPodAffinity,
];

/** The plugins that rate nodes, with Kubernetes' weights. ImageLocality is left out: nobody knows which images a node has. */
export const DEFAULT_SCORES: readonly ScorePlugin[] = [
  taintTolerationScore,
  nodeAffinityScore,
  leastAllocated,
  nodeResourcesBalancedAllocation,
  podTopologySpreadScore,
  interPodAffinityScore,
];
