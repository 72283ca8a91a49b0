import type { Reason } from './daemonSetReasons.ts';
import { type DaemonWorld, isPodUpdated, stayingPods } from './DaemonNodes.ts';
import { type NodeBackoff, rememberedNodes } from './failedPodsBackoff.ts';
import { type DaemonDelete, type DeleteCause, deletion, podsShouldBeOnNode } from './podsShouldBeOnNode.ts';
import { rollingUpdate, type UpdateStep } from './rollingUpdate.ts';
import { isRollingUpdate } from './updateBounds.ts';

/** Kubernetes' BurstReplicas of daemons: so many pods are created, and so many deleted, by one sync at most. */
export const BURST_REPLICAS = 250;

/** What a sync does about a DaemonSet's pods. */
export interface DaemonPlan {
  /** The nodes that get a pod. */
  readonly creates: readonly string[];
  readonly deletes: readonly DaemonDelete[];
  /** What the key remembers of failed pods before these deletes. */
  readonly remembered: readonly NodeBackoff[];
  /** When the next failed pod may be deleted; milliseconds from now. */
  readonly retryInMs?: number;
  /** True when the next sync has more to create or to delete. */
  readonly lookAgain: boolean;
  readonly why: readonly Reason[];
}

/**
 * Decides which pods are created and deleted: `updateDaemonSet`. First each node gets the pods that it is to have, and loses the others (`manage`). Only when nothing of that is left to do, a rolling update takes its next
 * step: Kubernetes waits until what it has requested is fulfilled. Pure.
 */
export function manageDaemons(world: DaemonWorld): DaemonPlan {
  const remembered = rememberedNodes(world.daemonSet, world.failedPods, world.nowMs);
  const managed = manage(world, remembered);
  if (managed.creates.length + managed.deletes.length > 0) return planOf(managed, remembered, [managedReason(managed)]);
  const { needs, why } = nextUpdate(world, managed);
  return planOf(needs, remembered, why);
}

interface Needs {
  readonly creates: readonly string[];
  readonly deletes: readonly DaemonDelete[];
  readonly retryInMs?: number;
}

/** The needs of all nodes. A pod that waits for a node that is gone will never be bound, so nobody else deletes it (`getUnscheduledPodsWithoutNode`). Those that are on such a node are left to the pod garbage collector. */
function manage(world: DaemonWorld, remembered: readonly NodeBackoff[]): Needs {
  const backoffs = new Map(remembered.map((one) => [one.node, one]));
  const existing = world.nodes.filter(({ exists }) => exists);
  const needs = existing.map((node) => ({ node, ...podsShouldBeOnNode(world, node, backoffs.get(node.name)) }));
  const stranded = world.nodes
    .filter(({ exists }) => !exists)
    .flatMap((node) => node.pods.filter(({ spec }) => !spec?.nodeName).map((pod) => deletion(pod, node, 'misplaced')));
  const retries = needs.flatMap(({ retryInMs }) => (retryInMs === undefined ? [] : [retryInMs]));
  return {
    creates: needs.filter(({ needsPod }) => needsPod).map(({ node }) => node.name),
    deletes: [...needs.flatMap(({ deletes }) => deletes), ...stranded.filter(isStaying)],
    ...(retries.length > 0 && { retryInMs: Math.min(...retries) }),
  };
}

function isStaying({ pod }: DaemonDelete): boolean {
  return pod.metadata.deletionTimestamp === undefined;
}

/** What an update needs while nothing else is left to do, and why. */
function nextUpdate(
  world: DaemonWorld,
  { retryInMs }: Needs,
): { readonly needs: Needs; readonly why: readonly Reason[] } {
  const { deletes, surgeOn, why } = isRollingUpdate(world.daemonSet) ? nextStep(world) : onDelete(world);
  const waits: Reason[] = retryInMs === undefined ? [] : [{ reason: 'failedDaemonPodStays', delayMs: retryInMs }];
  const needs = { creates: surgeOn, deletes, ...(retryInMs !== undefined && { retryInMs }) };
  return { needs, why: [why, ...waits] };
}

type Step = Pick<UpdateStep, 'deletes' | 'surgeOn'> & { readonly why: Reason };

function nextStep(world: DaemonWorld): Step {
  const { deletes, surgeOn, bounds, outdated, pending } = rollingUpdate(world);
  const { maxSurge, maxUnavailable, desired } = bounds;
  if (outdated === 0) return { deletes, surgeOn, why: { reason: 'daemonPodsAreThere', desired } };
  const counts = { creates: surgeOn.length, deletes: deletes.length, pending: pending.length };
  return { deletes, surgeOn, why: { reason: 'daemonPodsUpdate', outdated, maxSurge, maxUnavailable, ...counts } };
}

function onDelete({ nodes, hash }: DaemonWorld): Step {
  const desired = nodes.filter(({ shouldRun }) => shouldRun).length;
  const outdated = nodes.flatMap(stayingPods).filter((pod) => !isPodUpdated(pod, hash)).length;
  const why: Reason =
    outdated > 0 ? { reason: 'outdatedDaemonPodsStay', outdated } : { reason: 'daemonPodsAreThere', desired };
  return { deletes: [], surgeOn: [], why };
}

function managedReason({ creates, deletes }: Needs): Reason {
  const counts: Partial<Record<DeleteCause, number>> = {};
  for (const { cause } of deletes) counts[cause] = (counts[cause] ?? 0) + 1;
  return { reason: 'daemonPodsManaged', creates: creates.length, deletes: counts };
}

function planOf(needs: Needs, remembered: readonly NodeBackoff[], why: readonly Reason[]): DaemonPlan {
  const { creates, deletes } = needs;
  return {
    ...needs,
    creates: creates.slice(0, BURST_REPLICAS),
    deletes: deletes.slice(0, BURST_REPLICAS),
    remembered,
    lookAgain: creates.length > BURST_REPLICAS || deletes.length > BURST_REPLICAS,
    why,
  };
}
