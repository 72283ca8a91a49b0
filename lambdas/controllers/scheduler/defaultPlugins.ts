import type { FilterPlugin, ScorePlugin } from './framework/Plugin.ts';
import { imageLocality } from './plugins/imageLocality.ts';
import { interPodAffinity, interPodAffinityScore } from './plugins/interPodAffinity.ts';
import { nodeAffinity, nodeAffinityScore } from './plugins/nodeAffinity.ts';
import { nodePorts } from './plugins/nodePorts.ts';
import { nodeResourcesBalancedAllocation } from './plugins/nodeResourcesBalancedAllocation.ts';
import { leastAllocated, nodeResourcesFit } from './plugins/nodeResourcesFit.ts';
import { nodeUnschedulable } from './plugins/nodeUnschedulable.ts';
import { nodeVolumeLimits } from './plugins/nodeVolumeLimits.ts';
import { podTopologySpread } from './plugins/podTopologySpread.ts';
import { podTopologySpreadScore } from './plugins/podTopologySpreadScore.ts';
import { taintToleration, taintTolerationScore } from './plugins/taintToleration.ts';
import { volumeBinding } from './plugins/volumeBinding.ts';
import { volumeRestrictions } from './plugins/volumeRestrictions.ts';
import { volumeZone } from './plugins/volumeZone.ts';

/** The plugins that keep pods from nodes, in Kubernetes' order: the first that objects gives the reason. */
export const DEFAULT_FILTERS: readonly FilterPlugin[] = [
  nodeUnschedulable,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  volumeRestrictions,
  nodeVolumeLimits,
  volumeBinding,
  volumeZone,
  podTopologySpread,
  interPodAffinity,
];

/** The plugins that rate nodes, with Kubernetes' weights. */
export const DEFAULT_SCORES: readonly ScorePlugin[] = [
  taintTolerationScore,
  nodeAffinityScore,
  leastAllocated,
  nodeResourcesBalancedAllocation,
  podTopologySpreadScore,
  interPodAffinityScore,
  imageLocality,
];
