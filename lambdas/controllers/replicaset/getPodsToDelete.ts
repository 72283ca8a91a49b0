import type { ContainerStatus } from 'kubernetes-types/core/v1.js';
import { firstInOrder } from '../../objects/firstInOrder.ts';
import type { Pod } from '../../objects/kinds.ts';
import { isPodActive, isPodAvailable, isPodReady, podConditionOf } from '../../objects/pods/podState.ts';

const PHASE_RANKS: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

/** A pod to delete, and the version that it must still have; absent where the pod may be deleted in any state. */
export interface PlannedDelete {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion?: string;
}

/** What the order of deletion depends on, apart from the pods themselves. */
export interface RankingFacts {
  /** The pods of all ReplicaSets with the same owner. Pods that have ended or are being deleted do not count. */
  readonly related: readonly Pod[];
  /** How long a pod of this owner must be ready until it counts as available. */
  readonly minReadySeconds: number;
  readonly nowMs: number;
}

/**
 * Chooses `count` of the active pods for deletion. Kubernetes' function of this name returns the pods alone. Here a pod that is chosen because it is not ready is deleted on the condition that it
 * still has the version it was judged by: if it has become ready since, deleting it would take an available pod where an unavailable one could go. Pure.
 */
export function getPodsToDelete(active: readonly Pod[], count: number, facts: RankingFacts): PlannedDelete[] {
  if (count >= active.length) return active.map(({ metadata: { name, uid } }) => ({ name, uid }));
  return sortActivePodsWithRanks(active, facts, count).map((pod) => {
    const { name, uid, resourceVersion } = pod.metadata;
    return { name, uid, ...(!isPodReady(pod) && { resourceVersion }) };
  });
}

/** The facts that the order looks at, read once for each pod so that sorting parses nothing. */
interface Ranked {
  readonly pod: Pod;
  readonly assigned: boolean;
  readonly phase: number;
  readonly ready: boolean;
  readonly available: boolean;
  readonly deletionCost: number;
  /** Active pods of related replica sets on its node, itself among them. */
  readonly neighbours: number;
  readonly readyAtMs: number | undefined;
  readonly restarts: number;
  readonly sidecarRestarts: number;
  readonly createdAtMs: number | undefined;
}

/**
 * Returns the first `count` pods in the order in which they are deleted: Kubernetes' `ActivePodsWithRanks`, ranked by `getPodsRankedByRelatedPodsOnSameNode`. Each rule decides only where those before see no
 * difference: without a node; Pending before Unknown before Running; not ready; not yet available; a lower pod-deletion-cost; more related pods on its node; ready for a
 * shorter time; more restarts of a container, then of a sidecar; younger. Times are compared by the power of two that their age has in nanoseconds, and within one power by UID, so that not always the
 * youngest goes.
 *
 * Not yet available is a rule of ours: a Deployment that removes replicas because they are not available counts on it. In Kubernetes a pod that has been ready for less than `minReadySeconds` can outlive
 * an available one, and fewer pods than the floor are available then (its issue 22065). Pure.
 */
export function sortActivePodsWithRanks(pods: readonly Pod[], facts: RankingFacts, count = pods.length): Pod[] {
  const podsOnNode = new Map<string, number>();
  for (const pod of facts.related) {
    const node = pod.spec?.nodeName ?? '';
    if (isPodActive(pod)) podsOnNode.set(node, (podsOnNode.get(node) ?? 0) + 1);
  }
  const readTime = timeReader();
  const ranked = pods.map((pod) => rankedOf(pod, podsOnNode.get(pod.spec?.nodeName ?? '') ?? 0, facts, readTime));
  return firstInOrder(ranked, count, (a, b) => compareRanked(a, b, facts.nowMs)).map(({ pod }) => pod);
}

function rankedOf(
  pod: Pod,
  neighbours: number,
  { minReadySeconds, nowMs }: RankingFacts,
  readTime: (time: string | undefined) => number | undefined,
): Ranked {
  const ready = isPodReady(pod);
  return {
    pod,
    assigned: Boolean(pod.spec?.nodeName),
    phase: PHASE_RANKS[pod.status?.phase ?? ''] ?? 0,
    ready,
    available: isPodAvailable(pod, minReadySeconds, nowMs),
    deletionCost: deletionCostOf(pod),
    neighbours,
    readyAtMs: ready ? readTime(podConditionOf(pod, 'Ready')?.lastTransitionTime) : undefined,
    restarts: mostRestarts(pod.status?.containerStatuses),
    sidecarRestarts: mostRestarts(sidecarStatusesOf(pod)),
    createdAtMs: readTime(pod.metadata.creationTimestamp),
  };
}

function compareRanked(a: Ranked, b: Ranked, nowMs: number): number {
  return (
    Number(a.assigned) - Number(b.assigned) ||
    a.phase - b.phase ||
    Number(a.ready) - Number(b.ready) ||
    Number(a.available) - Number(b.available) ||
    a.deletionCost - b.deletionCost ||
    b.neighbours - a.neighbours ||
    (a.ready && b.ready ? compareAges(a, b, a.readyAtMs, b.readyAtMs, nowMs) : 0) ||
    b.restarts - a.restarts ||
    b.sidecarRestarts - a.sidecarRestarts ||
    compareAges(a, b, a.createdAtMs, b.createdAtMs, nowMs)
  );
}

/** Puts the younger first, by order of magnitude. An absent time counts as the youngest. */
function compareAges(a: Ranked, b: Ranked, aMs: number | undefined, bMs: number | undefined, nowMs: number): number {
  if (aMs === bMs) return 0;
  if (aMs === undefined || bMs === undefined) return aMs === undefined ? -1 : 1;
  const uidOrder = a.pod.metadata.uid < b.pod.metadata.uid ? -1 : 1;
  return ageBucket(nowMs - aMs) - ageBucket(nowMs - bMs) || uidOrder;
}

/** Returns the whole part of the binary logarithm of the age in nanoseconds, or -1 if the time lies in the future. */
function ageBucket(ageMs: number): number {
  return ageMs > 0 ? Math.floor(Math.log2(ageMs * 1e6)) : -1;
}

/** Reads an int32 in plain decimals. Any other text counts as 0. */
function deletionCostOf(pod: Pod): number {
  const text = pod.metadata.annotations?.[DELETION_COST] ?? '';
  const cost = /^(0|-?[0-9]+)$/.test(text) && !/^0./.test(text) ? Number(text) : 0;
  return Math.abs(cost + 0.5) < 2 ** 31 ? cost : 0;
}

function sidecarStatusesOf({ spec, status }: Pod): readonly ContainerStatus[] | undefined {
  if (!spec?.initContainers) return undefined;
  const sidecars = spec.initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always');
  return status?.initContainerStatuses?.filter(({ name }) => sidecars.some((sidecar) => sidecar.name === name));
}

function mostRestarts(statuses: readonly ContainerStatus[] | undefined): number {
  let most = 0;
  // A loop, since this is asked of tens of thousands of pods.
  for (const { restartCount } of statuses ?? []) most = Math.max(most, restartCount);
  return most;
}

/** Returns a function that parses times, each only once: thousands of pods share few of them. An unreadable time is `undefined`. */
function timeReader(): (time: string | undefined) => number | undefined {
  const known = new Map<string, number>();
  return (time = '') => {
    const ms = known.get(time) ?? Date.parse(time);
    known.set(time, ms);
    return Number.isNaN(ms) ? undefined : ms;
  };
}
