import type { Deployment, Pod, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import { isPodActive, isPodTerminal } from '../../../lambdas/objects/podState.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import { nameOf, type World } from '../World.ts';
import type { Check } from './Check.ts';
import { isAvailable, type PodChange, podChangeOf, wasDeleted } from './podChanges.ts';

interface Ledger {
  ceiling: number;
  floor: number;
  /** `RollingUpdate` or `Recreate` if every spec since then said so. */
  strategy: string | undefined;
  readonly lost: Set<string>;
  /** How many replicas were taken from ReplicaSets while their status told of so many unavailable ones. */
  unhealthy: number;
  readonly adopted: Set<string>;
}

/** Two clocks may be so far apart, and a pod's times have whole seconds. */
const LENIENCY_MS = 3_000;

/**
 * A rolling update never has more pods than the highest ceiling (replicas and surge), and never deletes an available one below the lowest floor, of any spec that
 * landed since it last was complete. Recreate never makes a pod while one of another ReplicaSet still runs.
 *
 * Exceptions:
 * - Pods being deleted, or ended, do not count for the bounds.
 * - Pods that were adopted, alone or with their ReplicaSet, do not count against the ceiling: nobody created them for this Deployment. They count as available ones.
 *   An adopted ReplicaSet goes on, up or down, towards the size that it had been given before, until it is resized: that was another Deployment's decision.
 * - A pod that was lost by nobody's decision (a failure, a probe, a user's delete, its ReplicaSet deleted by a user) lowers the floor by one until the next
 *   completion: what was decided before it was known may land after it.
 * - A Deployment takes unhealthy replicas from old ReplicaSets first, below the floor too, since that takes nobody's availability (Kubernetes' cleanupUnhealthyReplicas). One that
 *   becomes available after its ReplicaSet's status was written, and before it is deleted, was still taken as an unhealthy one: each lowers the floor by one. Kubernetes has
 *   the same window.
 * - A pod that was on its way out when the Deployment was complete is of the rollout before: scaling up does not wait for it, though the strategy is Recreate by now.
 * - While a spec of each strategy landed, or only Recreate's, there are no bounds: Recreate takes all away.
 * - Clocks differ: a pod counts as available for the floor a little before its `minReadySeconds` are over, as it does for a worker whose clock is ahead.
 */
export class RolloutBounds implements Check {
  readonly #world: World;
  readonly #ledgers = new Map<string, Ledger>();

  constructor(world: World) {
    this.#world = world;
  }

  onWrite({ writer, change }: AuditedWrite, nowMs: number): string | undefined {
    if (change.resource === 'deployments.apps' && change.after) this.#widen(change.after);
    if (change.resource === 'replicasets.apps') this.#noteReplicaSet(writer, change);
    const pod = podChangeOf(change);
    const violation = pod && this.#judge(writer, pod, nowMs);
    for (const deployment of this.#world.deployments()) this.#settle(deployment, nowMs);
    return violation;
  }

  #judge(writer: string, pod: PodChange, nowMs: number): string | undefined {
    const deployment = this.#deploymentOf(pod.was ?? pod.is);
    const ledger = deployment && this.#ledgers.get(deployment.metadata.uid);
    if (!ledger) return undefined;
    if (!pod.before && pod.after)
      return writer === 'replicaset' ? this.#judgeCreation(deployment, ledger, pod.after) : undefined;
    if (!pod.before) return undefined;
    if (pod.was === undefined) ledger.adopted.add(pod.before.metadata.uid);
    return this.#judgeLoss(writer, deployment, ledger, pod, pod.before, nowMs);
  }

  #judgeCreation(deployment: Deployment, ledger: Ledger, created: Pod): string | undefined {
    const isAdopted = (pod: Pod) =>
      ledger.adopted.has(pod.metadata.uid) || ledger.adopted.has(controllerOf(pod)?.uid ?? '');
    if (isAdopted(created)) return undefined;
    const counted = this.#world.podsOfDeployment(deployment).filter((pod) => !isAdopted(pod));
    if (ledger.strategy === 'Recreate') return judgeRecreate(created, counted);
    const active = counted.filter(isPodActive).length;
    if (ledger.strategy !== 'RollingUpdate' || active <= ledger.ceiling) return undefined;
    return `${nameOf(created)} is above the ceiling of ${nameOf(deployment)}: ${active} pods, at most ${ledger.ceiling}`;
  }

  #judgeLoss(
    writer: string,
    deployment: Deployment,
    ledger: Ledger,
    pod: PodChange,
    before: Pod,
    nowMs: number,
  ): string | undefined {
    const minReadySeconds = deployment.spec?.minReadySeconds ?? 0;
    const isLost = (one: Pod | undefined) =>
      !one || pod.is !== pod.was || !isAvailable(one, minReadySeconds, nowMs, LENIENCY_MS);
    if (!isAvailable(before, minReadySeconds, nowMs, LENIENCY_MS) || !isLost(pod.after)) return undefined;
    if (writer !== 'replicaset' || !wasDeleted(pod)) {
      ledger.lost.add(before.metadata.uid);
      return undefined;
    }
    // It goes on towards the size that it had been given before it was adopted.
    if (ledger.adopted.has(pod.was ?? '')) return undefined;
    // Not yet available for everyone, so nobody's availability was taken.
    if (!isAvailable(before, minReadySeconds, nowMs, -LENIENCY_MS)) return undefined;
    const available = this.#world
      .podsOfDeployment(deployment)
      .filter((one) => isAvailable(one, minReadySeconds, nowMs, LENIENCY_MS)).length;
    if (ledger.strategy !== 'RollingUpdate' || available >= ledger.floor - ledger.lost.size - ledger.unhealthy)
      return undefined;
    return `${nameOf(before)} was needed: ${available} available pods of ${nameOf(deployment)} are left, at least ${ledger.floor} (${ledger.lost.size} lost, ${ledger.unhealthy} unhealthy)`;
  }

  #noteReplicaSet(writer: string, { before, after }: Change): void {
    const owner = (after ?? before) as ReplicaSet;
    const deployment = this.#world.byUid(controllerOf(owner)?.uid ?? '');
    const ledger = this.#ledgers.get(deployment?.metadata.uid ?? '');
    if (!ledger) return;
    const pods = this.#world.podsOf(owner.metadata.uid);
    if (!after && writer !== 'deployment') for (const { metadata } of pods) ledger.lost.add(metadata.uid);
    if (before && after && !controllerOf(before)) for (const { metadata } of pods) ledger.adopted.add(metadata.uid);
    if (!after || !before) return;
    // What an adopted one still creates is adopted too, until it is resized.
    if (!controllerOf(before)) ledger.adopted.add(owner.metadata.uid);
    const resized = (before as ReplicaSet).spec?.replicas !== (after as ReplicaSet).spec?.replicas;
    if (!resized || writer !== 'deployment') return;
    ledger.adopted.delete(owner.metadata.uid);
    ledger.unhealthy += unhealthyTaken(before, after);
  }

  #deploymentOf(ownerUid: string | undefined): Deployment | undefined {
    const owner = this.#world.byUid(ownerUid ?? '');
    return owner?.kind === 'ReplicaSet' ? this.#world.deploymentOf(owner) : undefined;
  }

  #widen(deployment: Deployment): void {
    const posts = postsOf(deployment);
    const ledger = this.#ledgers.get(deployment.metadata.uid);
    if (!ledger) {
      this.#ledgers.set(deployment.metadata.uid, newLedger(deployment));
      return;
    }
    ledger.ceiling = Math.max(ledger.ceiling, posts.ceiling);
    ledger.floor = Math.min(ledger.floor, posts.floor);
    if (ledger.strategy !== deployment.spec?.strategy?.type) ledger.strategy = undefined;
  }

  #settle(deployment: Deployment, nowMs: number): void {
    if (!isComplete(this.#world, deployment, nowMs)) return;
    const ledger = newLedger(deployment);
    for (const pod of this.#world.podsOfDeployment(deployment)) {
      if (!isPodActive(pod)) ledger.adopted.add(pod.metadata.uid);
    }
    this.#ledgers.set(deployment.metadata.uid, ledger);
  }
}

function unhealthyTaken(before: ReplicaSet, after: ReplicaSet): number {
  const [was, is] = [before.spec?.replicas ?? 1, after.spec?.replicas ?? 1];
  return Math.max(0, Math.min(was - is, was - (before.status?.availableReplicas ?? 0)));
}

function judgeRecreate(created: Pod, pods: readonly Pod[]): string | undefined {
  const own = controllerOf(created)?.uid;
  const other = pods.find((pod) => controllerOf(pod)?.uid !== own && !isPodTerminal(pod));
  return other && `${nameOf(created)} is created by Recreate while ${nameOf(other)} of another replica set still runs`;
}

function newLedger(deployment: Deployment): Ledger {
  const strategy = deployment.spec?.strategy?.type;
  return { ...postsOf(deployment), strategy, lost: new Set(), unhealthy: 0, adopted: new Set() };
}

/** Worked out here once more, so that the product's own arithmetic is not its judge. */
function postsOf({ spec }: Deployment): { readonly ceiling: number; readonly floor: number } {
  const replicas = spec?.replicas ?? 1;
  const { maxSurge = 0, maxUnavailable = 0 } = spec?.strategy?.rollingUpdate ?? {};
  const surge = resolve(maxSurge, replicas, Math.ceil);
  const unavailable = resolve(maxUnavailable, replicas, Math.floor);
  return { ceiling: replicas + surge, floor: replicas - (surge === 0 && unavailable === 0 ? 1 : unavailable) };
}

function resolve(value: number | string, replicas: number, round: (exact: number) => number): number {
  return typeof value === 'number' ? value : round((Number.parseInt(value, 10) * replicas) / 100);
}

/** Everything is as the spec wants it, and all know: a ReplicaSet that has not observed its last size may be about to act on the one before. */
export function isComplete(world: World, deployment: Deployment, nowMs: number): boolean {
  const { spec, status, metadata } = deployment;
  const replicas = spec?.replicas ?? 1;
  const counts = [status?.replicas, status?.updatedReplicas, status?.availableReplicas];
  if (status?.observedGeneration !== metadata.generation || counts.some((count = 0) => count !== replicas))
    return false;
  const [current, ...others] = world.newReplicaSetsOf(deployment);
  if (!current || others.length > 0 || current.spec?.replicas !== replicas) return false;
  const active = world.podsOfDeployment(deployment).filter(isPodActive);
  const own = active.filter((pod) => controllerOf(pod)?.uid === current.metadata.uid);
  const minReadySeconds = spec?.minReadySeconds ?? 0;
  return (
    active.length === replicas &&
    own.length === replicas &&
    own.every((pod) => isAvailable(pod, minReadySeconds, nowMs, 0)) &&
    world.replicaSetsOf(deployment).every((one) => one === current || one.spec?.replicas === 0) &&
    world.replicaSetsOf(deployment).every((one) => one.status?.observedGeneration === one.metadata.generation)
  );
}
