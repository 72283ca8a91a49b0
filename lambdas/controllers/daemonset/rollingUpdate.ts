import type { Pod } from '../../objects/kinds.ts';
import { type DaemonNode, type DaemonWorld, isAvailable, isPodUpdated, stayingPods } from './DaemonNodes.ts';
import { type DaemonDelete, deletion } from './podsShouldBeOnNode.ts';
import { type UpdateBounds, updateBounds } from './updateBounds.ts';

/** The next step of a rolling update, and what it was decided by. */
export interface UpdateStep {
  readonly deletes: readonly DaemonDelete[];
  /** The nodes that get a new pod beside their old one. */
  readonly surgeOn: readonly string[];
  readonly bounds: UpdateBounds;
  /** How many nodes have an old pod that is not replaced yet, those of this step among them. */
  readonly outdated: number;
  /** The nodes that have no available pod, or, with a surge, the nodes whose new pod is not available yet. */
  readonly pending: readonly string[];
}

/** The pods of a node that are not being deleted, sorted by revision. `undefined`: it has several of one kind, which are to go first. */
interface PodsOfNode {
  readonly node: DaemonNode;
  readonly newPod: Pod | undefined;
  readonly oldPod: Pod | undefined;
}

/** Decides the next step of a rolling update: Kubernetes' function of this name. It is asked only if all nodes have the pods that they are to have. Pure. */
export function rollingUpdate(world: DaemonWorld): UpdateStep {
  const bounds = updateBounds(world.daemonSet, world.nodes.filter(({ shouldRun }) => shouldRun).length);
  const concerned = world.nodes.filter(({ shouldRun, pods }) => shouldRun || pods.length > 0);
  const found = concerned.map((node) => findUpdatedPodsOnNode(world, node));
  return bounds.maxSurge === 0 ? replaceInPlace(world, found, bounds) : replaceBySurge(world, found, bounds);
}

/** `findUpdatedPodsOnNode`; both pods are missing where there is more than one of a kind. */
function findUpdatedPodsOnNode({ hash }: DaemonWorld, node: DaemonNode): PodsOfNode & { readonly isCrowded: boolean } {
  const updated = stayingPods(node).filter((pod) => isPodUpdated(pod, hash));
  const outdated = stayingPods(node).filter((pod) => !isPodUpdated(pod, hash));
  const isCrowded = updated.length > 1 || outdated.length > 1;
  return isCrowded
    ? { node, newPod: undefined, oldPod: undefined, isCrowded }
    : { node, newPod: updated[0], oldPod: outdated[0], isCrowded };
}

/**
 * Without a surge an old pod is deleted, and the node gets a new one when it is gone. Old pods that are not available go at once: nothing is lost with them. Of the available ones as many go as the bound leaves room for.
 * Five nodes, at most 2 unavailable: one new pod is not available yet and one old pod has crashed, so the crashed one goes and no other. Pure.
 */
function replaceInPlace(world: DaemonWorld, found: readonly PodsOfNode[], bounds: UpdateBounds): UpdateStep {
  const old = found.filter(({ oldPod, newPod }) => oldPod && !newPod);
  const isUp = ({ oldPod, newPod }: PodsOfNode) => {
    const only = oldPod && newPod ? undefined : (oldPod ?? newPod);
    return only !== undefined && isAvailable(world, only);
  };
  const pending = found.filter((one) => !isUp(one)).map(({ node }) => node.name);
  const room = Math.max(0, bounds.maxUnavailable - pending.length);
  const deletes = [
    ...old.filter((one) => !isUp(one)).flatMap((one) => deleteOld(one, 'outdatedUnavailable')),
    ...old
      .filter(isUp)
      .slice(0, room)
      .flatMap((one) => deleteOld(one, 'outdated')),
  ];
  return { deletes, surgeOn: [], bounds, outdated: old.length, pending };
}

/**
 * With a surge a node gets its new pod beside the old one, and the old one goes when the new one is available. A node whose old pod is not available gets its new pod at once. Of the others as many do as the surge leaves room
 * for. Pods on nodes that are not to have one any more go only as far as enough others are available. Pure.
 */
function replaceBySurge(
  world: DaemonWorld,
  found: readonly (PodsOfNode & { readonly isCrowded: boolean })[],
  bounds: UpdateBounds,
): UpdateStep {
  const up = (pod: Pod | undefined) => pod !== undefined && isAvailable(world, pod);
  const both = found.filter(({ oldPod, newPod }) => oldPod && newPod);
  const waiting = [...found.filter(({ isCrowded }) => isCrowded), ...both.filter(({ newPod }) => !up(newPod))];
  const old = found.filter(({ oldPod, newPod }) => oldPod && !newPod);
  const [staying, leaving] = [old.filter(({ node }) => node.shouldRun), old.filter(({ node }) => !node.shouldRun)];
  const available = found.filter(({ oldPod, newPod }) => up(oldPod ?? newPod)).length;
  const room = Math.max(0, bounds.maxSurge - waiting.length);
  const spare = Math.max(0, available - bounds.desired);
  const surgeOn = [
    ...staying.filter(({ oldPod }) => !up(oldPod)),
    ...staying.filter(({ oldPod }) => up(oldPod)).slice(0, room),
  ];
  const deletes = [
    ...leaving.filter(({ oldPod }) => !up(oldPod)).flatMap((one) => deleteOld(one, 'outdatedUnavailable')),
    ...both.filter(({ newPod }) => up(newPod)).flatMap((one) => deleteOld(one, 'outdated')),
    ...leaving
      .filter(({ oldPod }) => up(oldPod))
      .slice(0, spare)
      .flatMap((one) => deleteOld(one, 'outdated')),
  ];
  return {
    deletes,
    surgeOn: surgeOn.map(({ node }) => node.name),
    bounds,
    outdated: old.length + both.length,
    pending: waiting.map(({ node }) => node.name),
  };
}

function deleteOld({ node, oldPod }: PodsOfNode, cause: 'outdated' | 'outdatedUnavailable'): readonly DaemonDelete[] {
  return oldPod ? [deletion(oldPod, node, cause, cause === 'outdatedUnavailable')] : [];
}
