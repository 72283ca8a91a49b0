import type { NodeInfo } from './NodeInfo.ts';
import type { PodInfo } from './PodInfo.ts';
import type { Snapshot } from './Snapshot.ts';

/** Kubernetes' names of the plugins that keep pods from nodes. */
export const FILTER_PLUGINS = [
  'NodeUnschedulable',
  'TaintToleration',
  'NodeAffinity',
  'NodePorts',
  'NodeResourcesFit',
  'VolumeRestrictions',
  'NodeVolumeLimits',
  'VolumeBinding',
  'VolumeZone',
  'PodTopologySpread',
  'InterPodAffinity',
] as const;
export type FilterPluginName = (typeof FILTER_PLUGINS)[number];

/** Why a pod does not fit a node. */
export interface Misfit {
  /** In Kubernetes' words. */
  readonly reasons: readonly string[];
  /** Whether the removal of pods from the node could help: Kubernetes' `Unschedulable`, as against `UnschedulableAndUnresolvable`. */
  readonly isResolvable: boolean;
}

/** Why a pod fits no node, whichever it is. */
export interface Rejection {
  readonly rejected: string;
}

type NodeFilter = (node: NodeInfo) => Misfit | undefined;

/** A plugin that looks at nothing but the pod's spec and the node itself. */
export interface NodeOnlyPlugin extends FilterPlugin {
  readonly prepare: (pod: Pick<PodInfo, 'spec'>) => ((node: Pick<NodeInfo, 'node'>) => Misfit | undefined) | undefined;
}

/** Decides which nodes a pod fits. All of it is pure. */
export interface FilterPlugin {
  readonly name: FilterPluginName;
  /** Looks at the pod and the whole cluster once, and returns what looks at each node; `undefined` if every node is right. */
  readonly prepare: (pod: PodInfo, cluster: Snapshot) => NodeFilter | Rejection | undefined;
}

/** The score of a node that could not be better: `MaxNodeScore`. */
export const MAX_NODE_SCORE = 100;

/** Rates the nodes that a pod fits. All of it is pure. */
export interface ScorePlugin {
  readonly name: string;
  /** How much it counts, compared with the others. */
  readonly weight: number;
  /** Returns a score from 0 to MAX_NODE_SCORE for each of the nodes; `undefined` if it rates all of them alike. */
  readonly score: (pod: PodInfo, nodes: readonly NodeInfo[], cluster: Snapshot) => readonly number[] | undefined;
}

/** Kubernetes' `DefaultNormalizeScore`: the best node gets MAX_NODE_SCORE; with `isReversed`, the one with the lowest score. Pure. */
export function normalizeScores(scores: readonly number[], isReversed = false): readonly number[] {
  const most = Math.max(0, ...scores);
  if (most === 0) return scores.map(() => (isReversed ? MAX_NODE_SCORE : 0));
  return scores.map((score) => {
    const scaled = Math.floor((MAX_NODE_SCORE * score) / most);
    return isReversed ? MAX_NODE_SCORE - scaled : scaled;
  });
}
