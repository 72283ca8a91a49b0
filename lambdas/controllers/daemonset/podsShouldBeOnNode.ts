import type { Pod } from '../../objects/kinds.ts';
import { isPodReady, isPodTerminal } from '../../objects/pods/podState.ts';
import { type DaemonNode, type DaemonWorld, isAvailable, isPodUpdated, stayingPods } from './DaemonNodes.ts';
import { nextBackoff, type NodeBackoff, remainingBackoffMs } from './failedPodsBackoff.ts';
import { allowsSurge } from './updateBounds.ts';

/** Why a pod goes. */
export type DeleteCause =
  | 'failed'
  | 'succeeded'
  /** The node must not have it. */
  | 'misplaced'
  /** The node has another one. */
  | 'excess'
  /** It is of an older revision, and not available. */
  | 'outdatedUnavailable'
  /** It is of an older revision, and available. */
  | 'outdated';

/** A pod that is to be deleted. */
export interface DaemonDelete {
  readonly pod: Pod;
  readonly node: string;
  readonly cause: DeleteCause;
  /** True if it goes because it does nothing useful now. If it has changed since, it is judged again. */
  readonly onlyIfUnchanged: boolean;
  /** For a pod that failed: what its node's next failed pod waits for. */
  readonly backoff?: NodeBackoff;
}

/** What one node needs. */
export interface NodeNeeds {
  readonly needsPod: boolean;
  readonly deletes: readonly DaemonDelete[];
  /** How long a failed pod that is kept for now stays; milliseconds. */
  readonly retryInMs?: number;
}

/**
 * Decides which pods a node is to have: one, if it should run one and has none, not even one that is still being deleted. A DaemonSet that surges may begin the next pod before that, and keeps an old pod
 * beside the new one until the new one is available. Kubernetes' function of this name. `backoff`: that of the node. Pure.
 */
export function podsShouldBeOnNode(world: DaemonWorld, node: DaemonNode, backoff: NodeBackoff | undefined): NodeNeeds {
  if (node.shouldRun && node.pods.length === 0) return { needsPod: true, deletes: [] };
  const staying = stayingPods(node);
  if (!node.shouldContinueRunning)
    return { needsPod: false, deletes: staying.map((pod) => deletion(pod, node, 'misplaced')) };
  const ended = deletesOfEnded(world, node, backoff);
  const running = availableFirst(
    world,
    staying.filter((pod) => !isPodTerminal(pod)),
  );
  const surplus = allowsSurge(world.daemonSet)
    ? surplusWhileSurging(world, node, running)
    : excess(world, node, running.slice(1));
  // A failed pod that stays for now keeps the next one away: it would fail as well.
  const needsPod =
    allowsSurge(world.daemonSet) && running.length === 0 && node.shouldRun && ended.retryInMs === undefined;
  return { ...ended, needsPod, deletes: [...ended.deletes, ...surplus] };
}

/** Pods that have ended make room for the next one. Failed pods do so after a time that doubles, because a kubelet may refuse the next one as well. */
function deletesOfEnded(
  { nowMs }: DaemonWorld,
  node: DaemonNode,
  backoff: NodeBackoff | undefined,
): Omit<NodeNeeds, 'needsPod'> {
  const deletes: DaemonDelete[] = [];
  let known = backoff;
  let retryInMs: number | undefined;
  for (const pod of stayingPods(node)) {
    if (pod.status?.phase === 'Succeeded') deletes.push(deletion(pod, node, 'succeeded'));
    if (pod.status?.phase !== 'Failed') continue;
    const waitMs = remainingBackoffMs(known, nowMs);
    if (waitMs > 0) {
      retryInMs = waitMs;
      continue;
    }
    known = nextBackoff(node.name, known, nowMs);
    deletes.push({ ...deletion(pod, node, 'failed'), backoff: known });
  }
  return { deletes, ...(retryInMs !== undefined && { retryInMs }) };
}

/**
 * An old pod stays beside the new one while the old one is ready and the new one is not available yet. Of two old or two new pods the first one stays. `running`: as by `availableFirst`.
 */
function surplusWhileSurging(world: DaemonWorld, node: DaemonNode, running: readonly Pod[]): readonly DaemonDelete[] {
  if (running.length <= 1) return [];
  const [newPod, ...moreNew] = running.filter((pod) => isPodUpdated(pod, world.hash));
  const [oldPod, ...moreOld] = running.filter((pod) => !isPodUpdated(pod, world.hash));
  return [...excess(world, node, [...moreNew, ...moreOld]), ...replacedOld(world, node, newPod, oldPod)];
}

function replacedOld(
  world: DaemonWorld,
  node: DaemonNode,
  newPod: Pod | undefined,
  oldPod: Pod | undefined,
): readonly DaemonDelete[] {
  if (!newPod || !oldPod) return [];
  if (!isPodReady(oldPod)) return [deletion(oldPod, node, 'outdatedUnavailable', true)];
  return isAvailable(world, newPod) ? [deletion(oldPod, node, 'outdated')] : [];
}

/** The first pod is the one that stays. Kubernetes keeps the oldest, although it may be the only one that is not available. */
function availableFirst(world: DaemonWorld, pods: readonly Pod[]): readonly Pod[] {
  const [up, down] = [pods.filter((pod) => isAvailable(world, pod)), pods.filter((pod) => !isAvailable(world, pod))];
  return [...up, ...down];
}

/** One that has become available since is judged again. */
function excess(world: DaemonWorld, node: DaemonNode, pods: readonly Pod[]): readonly DaemonDelete[] {
  return pods.map((pod) => deletion(pod, node, 'excess', !isAvailable(world, pod)));
}

/** Returns the deletion of a node's pod. Pure. */
export function deletion(
  pod: Pod,
  { name: node }: DaemonNode,
  cause: DeleteCause,
  onlyIfUnchanged = false,
): DaemonDelete {
  return { pod, node, cause, onlyIfUnchanged };
}
