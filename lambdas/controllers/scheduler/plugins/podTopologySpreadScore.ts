import { controllerMark } from '../framework/marks.ts';
import type { NodeInfo } from '../framework/NodeInfo.ts';
import { MAX_NODE_SCORE, type ScorePlugin } from '../framework/Plugin.ts';
import type { PodInfo } from '../framework/PodInfo.ts';
import type { Snapshot } from '../framework/Snapshot.ts';
import { countMatching, isCounted, type SpreadConstraint, spreadConstraintsOf } from './spreadConstraints.ts';

const HOSTNAME = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

/** Prefers the places that have few pods of the same kind: by the pod's own constraints (`whenUnsatisfiable: ScheduleAnyway`), or else by those that Kubernetes gives to every pod with a controller. */
export const podTopologySpreadScore: ScorePlugin = {
  name: 'PodTopologySpread',
  weight: 2,
  score(pod, nodes, cluster) {
    const isOwn = (pod.spec.topologySpreadConstraints ?? []).length > 0;
    const constraints = isOwn ? spreadConstraintsOf(pod, 'ScheduleAnyway') : systemDefaults(pod);
    if (constraints.length === 0) return undefined;
    const hasKeys = ({ labels }: NodeInfo) =>
      !isOwn || constraints.every(({ topologyKey }) => Object.hasOwn(labels, topologyKey));
    const counters = constraints.map((one) => countsFor(one, pod, nodes, cluster, hasKeys));
    const sums = nodes.map((node) => (hasKeys(node) ? sumOf(counters, node) : undefined));
    return normalize(sums);
  },
};

/** Kubernetes' `systemDefaultConstraints`. It finds the pods of the same kind by the services and controllers that select them; here they are those with the same controller. */
function systemDefaults({ namespace, controllerUid }: PodInfo): readonly SpreadConstraint[] {
  if (controllerUid === '') return [];
  const matches = (other: PodInfo) => other.namespace === namespace && other.controllerUid === controllerUid;
  const marks = [controllerMark(controllerUid)];
  const rest = { minDomains: 1, honorsAffinity: true, honorsTaints: false, marks, matches };
  return [
    { ...rest, topologyKey: HOSTNAME, maxSkew: 3 },
    { ...rest, topologyKey: ZONE, maxSkew: 5 },
  ];
}

type Counter = (node: NodeInfo) => number;

/** Returns what a constraint adds to a node: the pods in its place, and more where there are more places, which have fewer pods each. */
function countsFor(
  constraint: SpreadConstraint,
  pod: PodInfo,
  nodes: readonly NodeInfo[],
  cluster: Snapshot,
  hasKeys: (node: NodeInfo) => boolean,
): Counter {
  const { topologyKey, maxSkew } = constraint;
  const isHost = topologyKey === HOSTNAME;
  const eligible = nodes.filter(hasKeys);
  const places = new Map<string, number>();
  for (const { labels } of eligible) places.set(labels[topologyKey] ?? '', 0);
  for (const node of isHost ? [] : cluster.nodes) {
    const place = node.labels[topologyKey] ?? '';
    const count = places.get(place);
    if (count !== undefined && hasKeys(node) && isCounted(pod, node, constraint))
      places.set(place, count + countMatching(node, constraint));
  }
  const weight = Math.log((isHost ? eligible.length : places.size) + 2);
  return (node) => {
    const place = node.labels[topologyKey];
    if (place === undefined) return 0;
    const count = isHost ? countMatching(node, constraint) : (places.get(place) ?? 0);
    return count * weight + maxSkew - 1;
  };
}

function sumOf(counters: readonly Counter[], node: NodeInfo): number {
  return Math.round(counters.reduce((sum, counter) => sum + counter(node), 0));
}

/** The fewer, the better. A node that lacks a label gets nothing. */
function normalize(sums: readonly (number | undefined)[]): readonly number[] {
  const known = sums.filter((sum) => sum !== undefined);
  const [least, most] = [Math.min(...known), Math.max(0, ...known)];
  return sums.map((sum) => {
    if (sum === undefined) return 0;
    return most === 0 ? MAX_NODE_SCORE : Math.floor((MAX_NODE_SCORE * (most + least - sum)) / most);
  });
}
