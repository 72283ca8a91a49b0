import type { DaemonSet, Node, Pod } from '../../objects/kinds.ts';
import { isPodAvailable, isPodTerminal } from '../../objects/pods/podState.ts';
import { daemonPodSpec, REVISION_HASH_LABEL, targetNodeName } from './daemonPodTemplate.ts';
import type { FailedPods } from './failedPodsBackoff.ts';
import { nodeShouldRunDaemonPod, type NodeVerdict } from './nodeShouldRunDaemonPod.ts';

/** A node, or the name of one that does not exist but has pods. */
export interface DaemonNode extends NodeVerdict {
  readonly name: string;
  readonly exists: boolean;
  /** The daemon's pods that are there or are meant for it: first those that have got there, the oldest first. Those that are being deleted are among them until they have ended. */
  readonly pods: readonly Pod[];
}

/** What a DaemonSet's pods are decided by. */
export interface DaemonWorld {
  readonly daemonSet: DaemonSet;
  /** The label of the newest revision. */
  readonly hash: string;
  /** How often a revision's name was taken by another template; absent: never. */
  readonly collisionCount?: number | undefined;
  /** In the order of their names. */
  readonly nodes: readonly DaemonNode[];
  /** What the key remembers of pods that failed. */
  readonly failedPods: FailedPods | undefined;
  readonly nowMs: number;
}

const ABSENT: NodeVerdict = { shouldRun: false, shouldContinueRunning: false };

/** Puts the pods on their nodes: `getNodesToDaemonPods`, with `NodeShouldRunDaemonPod` for each node. Pure. */
export function daemonNodes(daemonSet: DaemonSet, nodes: readonly Node[], pods: readonly Pod[]): readonly DaemonNode[] {
  const spec = daemonPodSpec(daemonSet);
  const byNode = podsByNode(pods);
  const existing = nodes.map((node) => ({
    ...nodeShouldRunDaemonPod(spec, node),
    name: node.metadata.name,
    exists: true,
    pods: byNode.get(node.metadata.name) ?? [],
  }));
  const names = new Set(existing.map(({ name }) => name));
  const gone = [...byNode].filter(([name]) => !names.has(name));
  const absent = gone.map(([name, its]) => ({ ...ABSENT, name, exists: false, pods: its }));
  return [...existing, ...absent].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A pod that has ended and is being deleted needs nothing more. */
function podsByNode(pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
  const byNode = new Map<string, Pod[]>();
  for (const pod of pods.toSorted(byCreationTimestampAndPhase)) {
    const name = targetNodeName(pod);
    if (name === undefined || (isPodTerminal(pod) && pod.metadata.deletionTimestamp !== undefined)) continue;
    byNode.set(name, [...(byNode.get(name) ?? []), pod]);
  }
  return byNode;
}

/** `podByCreationTimestampAndPhase`: pods that have a node come first, then the older ones. */
function byCreationTimestampAndPhase(a: Pod, b: Pod): number {
  const places = [a, b].map((pod) => (pod.spec?.nodeName ? 0 : 1)) as [number, number];
  if (places[0] !== places[1]) return places[0] - places[1];
  const keyOf = ({ metadata }: Pod) => `${metadata.creationTimestamp} ${metadata.name}`;
  return keyOf(a) < keyOf(b) ? -1 : 1;
}

/** True if the pod is of the newest revision: `IsPodUpdated`. */
export function isPodUpdated({ metadata }: Pod, hash: string): boolean {
  return metadata.labels?.[REVISION_HASH_LABEL] === hash;
}

/** The pods of a node that are not being deleted. */
export function stayingPods({ pods }: DaemonNode): readonly Pod[] {
  return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** Whether the pod counts as available to this DaemonSet. */
export function isAvailable({ daemonSet, nowMs }: Pick<DaemonWorld, 'daemonSet' | 'nowMs'>, pod: Pod): boolean {
  return isPodAvailable(pod, daemonSet.spec?.minReadySeconds ?? 0, nowMs);
}
