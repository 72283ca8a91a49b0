import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';

/** The cluster, seen in a pod's favour where it is not known exactly. */
export interface SpreadView {
  /** The nodes whose places surely count. */
  readonly nodes: readonly Node[];
  /** The other nodes: those that have changed lately. Their places may not have counted, and their pods may have. */
  readonly changed: readonly Node[];
  /** The pods that surely counted. */
  readonly known: readonly Pod[];
  /** The pods that may have counted, besides: where they were, or anywhere if they had no node. */
  readonly possible: readonly Pod[];
}

/** Says whether a place has too many of the pod's kind, this one included, by the constraints that must be met. Each selects one label. */
export function spreadObjection(
  pod: Pod,
  node: Node,
  { nodes, changed, known, possible }: SpreadView,
): string | undefined {
  for (const { topologyKey, maxSkew, whenUnsatisfiable, labelSelector } of pod.spec?.topologySpreadConstraints ?? []) {
    if (whenUnsatisfiable !== 'DoNotSchedule') continue;
    const placeOf = ({ metadata }: Node) => metadata.labels?.[topologyKey] ?? '';
    const isAlike = ({ metadata }: Pod) => isSelected(labelSelector?.matchLabels, metadata.labels);
    const counting = (counted: readonly Node[]) => {
      const placeNamed = new Map(counted.map((one) => [one.metadata.name, placeOf(one)]));
      return (place: string, pods: readonly Pod[]) =>
        pods.filter((one) => isAlike(one) && placeNamed.get(one.spec?.nodeName ?? '') === place).length;
    };
    const surelyAt = counting([...nodes, node]);
    const perhapsAt = counting([...nodes, ...changed, node]);
    const anywhere = possible.filter((one) => isAlike(one) && !one.spec?.nodeName).length;
    const allowed = nodes.filter(({ metadata }) => isSelected(pod.spec?.nodeSelector, metadata.labels));
    const fewest = Math.min(
      ...allowed.map((one) => perhapsAt(placeOf(one), known) + perhapsAt(placeOf(one), possible) + anywhere),
    );
    const here = surelyAt(placeOf(node), known);
    if (here - fewest > maxSkew) return `${placeOf(node)} has ${here} of its kind, and another place has ${fewest}`;
  }
  return undefined;
}

function isSelected(wanted: Readonly<Record<string, string>> = {}, labels: Readonly<Record<string, string>> = {}) {
  return Object.entries(wanted).every(([key, value]) => labels[key] === value);
}
