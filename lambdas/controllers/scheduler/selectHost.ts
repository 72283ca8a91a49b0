import { stableInteger } from '../../objects/stableHash.ts';
import type { NodeInfo } from './framework/NodeInfo.ts';
import type { ScorePlugin } from './framework/Plugin.ts';
import type { PodInfo } from './framework/PodInfo.ts';
import type { Snapshot } from './framework/Snapshot.ts';

/** Returns the best of the nodes that a pod fits; `undefined` for an empty list. Kubernetes draws one of those that are equally good; here the pod's UID decides, so the answer is always the same. Pure. */
export function selectHost(
  pod: PodInfo,
  fitting: readonly NodeInfo[],
  cluster: Snapshot,
  plugins: readonly ScorePlugin[],
): NodeInfo | undefined {
  if (fitting.length <= 1) return fitting[0];
  const totals = totalScores(pod, fitting, cluster, plugins);
  const most = Math.max(...totals);
  const best = fitting.filter((_, at) => totals[at] === most).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return best[stableInteger(pod.pod.metadata.uid) % best.length];
}

/** Adds up the scores of each node, each plugin's by its weight. */
function totalScores(
  pod: PodInfo,
  nodes: readonly NodeInfo[],
  cluster: Snapshot,
  plugins: readonly ScorePlugin[],
): readonly number[] {
  const totals = nodes.map(() => 0);
  for (const { weight, score } of plugins)
    for (const [at, rated] of score(pod, nodes, cluster)?.entries() ?? [])
      totals[at] = (totals[at] ?? 0) + weight * rated;
  return totals;
}
