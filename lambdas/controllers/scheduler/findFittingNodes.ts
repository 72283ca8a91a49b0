import { stableInteger } from '../../objects/stableHash.ts';
import type { NodeInfo } from './framework/NodeInfo.ts';
import type { FilterPlugin, FilterPluginName, Misfit } from './framework/Plugin.ts';
import type { PodInfo } from './framework/PodInfo.ts';
import type { Snapshot } from './framework/Snapshot.ts';
import { requiredNodeNames } from './plugins/nodeAffinity.ts';

/** A misfit, and the plugin that found it. */
export interface FoundMisfit extends Misfit {
  readonly plugin: FilterPluginName;
}

/** Which nodes a pod fits, and why not the others; or why it fits none, whatever the nodes are like. */
export type Fit =
  | { readonly fitting: readonly NodeInfo[]; readonly misfits: ReadonlyMap<string, FoundMisfit> }
  | { readonly rejected: string; readonly plugin: FilterPluginName };

/** If the pod names nodes, no other node is looked at. */
const NOT_NAMED: FoundMisfit = {
  reasons: ["node(s) didn't satisfy plugin(s) [NodeAffinity]"],
  isResolvable: false,
  plugin: 'NodeAffinity',
};

type PreparedFilter = (node: NodeInfo) => FoundMisfit | undefined;
type Prepared = PreparedFilter | { readonly rejected: string; readonly plugin: FilterPluginName };

/** Runs the filters for one node after the other, as Kubernetes' `findNodesThatFitPod`, until enough are found that fit. Each pod begins at another node. Pure. */
export function findFittingNodes(pod: PodInfo, cluster: Snapshot, plugins: readonly FilterPlugin[]): Fit {
  const prepared = prepare(pod, cluster, plugins);
  if (typeof prepared !== 'function') return prepared;
  const fitting: NodeInfo[] = [];
  const misfits = new Map<string, FoundMisfit>();
  const names = requiredNodeNames(pod.spec);
  const enough = enoughNodes(cluster.nodes.length);
  const { nodes } = cluster;
  const first = stableInteger(pod.pod.metadata.uid) % Math.max(1, nodes.length);
  for (let at = 0; at < nodes.length && fitting.length < enough; at += 1) {
    const node = nodes[(first + at) % nodes.length] as NodeInfo;
    if (names && !names.has(node.name)) {
      misfits.set(node.name, NOT_NAMED);
      continue;
    }
    const misfit = prepared(node) ?? misfitBesideNominated(pod, cluster, node, plugins);
    if (misfit) misfits.set(node.name, misfit);
    else fitting.push(node);
  }
  return { fitting, misfits };
}

/** Kubernetes' `minFeasibleNodesToFind`. */
const LEAST_ENOUGH = 100;
/** Its `minFeasibleNodesPercentageToFind`. */
const LEAST_PERCENT = 5;

/** Of how many fitting nodes the best is taken, as Kubernetes' `numFeasibleNodesToFind` says for the default `percentageOfNodesToScore`: all of up to 100, half of some more, and a twentieth of the most. Pure. */
export function enoughNodes(total: number): number {
  const percent = Math.max(LEAST_PERCENT, 50 - Math.floor(total / 125));
  return Math.min(total, Math.max(LEAST_ENOUGH, Math.floor((total * percent) / 100)));
}

/** Why the pod does not fit this node of the cluster; `undefined` if it fits. Pure. */
export function misfitOf(
  pod: PodInfo,
  cluster: Snapshot,
  node: NodeInfo,
  plugins: readonly FilterPlugin[],
): FoundMisfit | undefined {
  const prepared = prepare(pod, cluster, plugins);
  if (typeof prepared !== 'function')
    return { reasons: [prepared.rejected], isResolvable: false, plugin: prepared.plugin };
  return prepared(node) ?? misfitBesideNominated(pod, cluster, node, plugins);
}

function prepare(pod: PodInfo, cluster: Snapshot, plugins: readonly FilterPlugin[]): Prepared {
  const filters: PreparedFilter[] = [];
  for (const plugin of plugins) {
    const filter = plugin.prepare(pod, cluster);
    if (filter === undefined) continue;
    if (typeof filter !== 'function') return { ...filter, plugin: plugin.name };
    filters.push((node) => {
      const misfit = filter(node);
      return misfit && { ...misfit, plugin: plugin.name };
    });
  }
  return (node) => {
    for (const filter of filters) {
      const misfit = filter(node);
      if (misfit) return misfit;
    }
    return undefined;
  };
}

/** A node must have room beside the pods that wait for it after a preemption, if they are as important. As `RunFilterPluginsWithNominatedPods`, it must also do without them, since they may never come. */
function misfitBesideNominated(
  pod: PodInfo,
  cluster: Snapshot,
  node: NodeInfo,
  plugins: readonly FilterPlugin[],
): FoundMisfit | undefined {
  const { uid } = pod.pod.metadata;
  const expected = cluster
    .nominatedFor(node.name)
    .filter((other) => other.pod.metadata.uid !== uid && other.priority >= pod.priority);
  if (expected.length === 0) return undefined;
  const filled = node.clone();
  for (const other of expected) filled.pods.add(other);
  const prepared = prepare(pod, cluster.with(filled), plugins);
  return typeof prepared === 'function' ? prepared(filled) : undefined;
}
