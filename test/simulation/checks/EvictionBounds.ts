import { isDeepStrictEqual } from 'node:util';
import type { PodDisruptionBudget } from '../../../lambdas/controllers/disruption/expectedPods.ts';
import { matchesLabelSelector } from '../../../lambdas/objects/selectors/labelSelector.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { isPodReady, podConditionOf } from '../../../lambdas/objects/pods/podState.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import { currentEvictionBeganMs } from '../Evictions.ts';
import { nameOf, type World } from '../World.ts';
import type { Check } from './Check.ts';

const BUDGETS = 'poddisruptionbudgets.policy';
/** So long an evicted pod counts as gone though its deletion does not show. */
const DELETION_TIMEOUT_MS = 120_000;
/** Clocks of two workers differ by less, and times are written in whole seconds. */
const CLOCKS_DIFFER_MS = 5_000;

/** A pod whose labels were others until then. */
interface Relabelled {
  readonly untilMs: number;
  readonly pod: Pod;
}

/** The ready pods that are not being deleted, from a moment on. */
interface Healthy {
  readonly sinceMs: number;
  readonly pods: readonly Pod[];
}

/** What a budget has left, by its UID. */
interface Account {
  readonly firstMs: number;
  left: number;
  /** The pods for which it was charged. */
  readonly charged: Set<string>;
}

/**
 * Evictions never take more pods than a budget allows. Its controller allows no more than were healthy at some moment while it counted, above what must be; each eviction uses one up, and none is granted by a
 * budget that was not computed since it has changed. A healthy pod goes by an eviction only if its budget was charged for it.
 */
export class EvictionBounds implements Check {
  readonly #world: World;
  readonly #accounts = new Map<string, Account>();
  /** What a sync may have seen, the oldest first. Empty while there was no budget. */
  #healthy: Healthy[] = [];
  /** Pods as they were before their labels changed, by their UID. */
  readonly #relabelled = new Map<string, Relabelled[]>();

  constructor(world: World) {
    this.#world = world;
  }

  onWrite({ writer, trail, change }: AuditedWrite, nowMs: number): string | undefined {
    const { before, after } = change;
    if (change.resource === 'pods') {
      if (this.#accounts.size > 0) this.#note(nowMs);
      if (!before || !after) return undefined;
      this.#noteLabels(before, after, nowMs);
      return writer === 'client' ? this.#judgeEviction(before, after, nowMs) : undefined;
    }
    if (change.resource !== BUDGETS || !after) return undefined;
    const account = this.#accountOf(after, nowMs);
    if (!before || before.metadata.uid !== after.metadata.uid) return undefined;
    if (writer === 'disruption') {
      account.left = allowedBy(after);
      return this.#judgeCount(before, after, trail?.beganMs ?? nowMs, nowMs);
    }
    const isCharge = writer === 'client' && !isDeepStrictEqual(before.status, after.status);
    return isCharge ? judgeCharge(account, before, after) : undefined;
  }

  #accountOf({ metadata }: PodDisruptionBudget, nowMs: number): Account {
    const known = this.#accounts.get(metadata.uid);
    if (known) return known;
    this.#note(nowMs);
    const account: Account = { firstMs: nowMs, left: 0, charged: new Set() };
    this.#accounts.set(metadata.uid, account);
    return account;
  }

  /** Remembers which pods are healthy, as long as a sync may rely on it. */
  #note(nowMs: number): void {
    const pods = this.#world.pods().filter((pod) => pod.metadata.deletionTimestamp === undefined && isPodReady(pod));
    this.#healthy.push({ sinceMs: nowMs, pods });
  }

  #judgeCount(
    before: PodDisruptionBudget,
    after: PodDisruptionBudget,
    beganMs: number,
    nowMs: number,
  ): string | undefined {
    const relied = this.#healthy.filter(
      (_, index) => (this.#healthy[index + 1]?.sinceMs ?? Number.POSITIVE_INFINITY) >= beganMs,
    );
    this.#healthy = relied;
    const counts = relied.map(({ pods }) => countOf(pods, before, nowMs));
    const { currentHealthy = 0, desiredHealthy = 0, disruptionsAllowed = 0 } = after.status ?? {};
    const most = Math.max(0, ...counts);
    if (disruptionsAllowed === 0 || disruptionsAllowed + desiredHealthy <= most) return undefined;
    return `${nameOf(after)} allows ${disruptionsAllowed} disruptions with ${currentHealthy} healthy pods, and there were ${most} at most`;
  }

  #noteLabels(before: Pod, after: Pod, untilMs: number): void {
    const { uid, labels } = before.metadata;
    if (isDeepStrictEqual(labels, after.metadata.labels)) return;
    this.#relabelled.set(uid ?? '', [...(this.#relabelled.get(uid ?? '') ?? []), { untilMs, pod: before }]);
  }

  /**
   * The condition is the eviction's first write of the pod. A budget protects the pod from evictions that begin after it was created. One that began before may have found no budget, and its write may come late: a function
   * that stands still for minutes sends it when it goes on. No write can depend on an object that is not there yet, neither here nor in Kubernetes, so this is allowed however long it takes. The same holds for a pod that no budget selected by the labels that it
   * had when the eviction read it.
   */
  #judgeEviction(before: Pod, after: Pod, nowMs: number): string | undefined {
    if (podConditionOf(before, 'DisruptionTarget') || !podConditionOf(after, 'DisruptionTarget')) return undefined;
    if (!isPodReady(before) || before.metadata.deletionTimestamp !== undefined) return undefined;
    const beganMs = (currentEvictionBeganMs.getStore() ?? nowMs) - CLOCKS_DIFFER_MS;
    const changed = (this.#relabelled.get(before.metadata.uid ?? '') ?? []).filter(({ untilMs }) => untilMs >= beganMs);
    const seen = [before, ...changed.map(({ pod }) => pod)];
    const budget = this.#world
      .all<PodDisruptionBudget>('PodDisruptionBudget')
      .filter((budget) => seen.every((pod) => selects(budget, pod)))
      .find(({ metadata }) => {
        const account = this.#accounts.get(metadata.uid);
        return account && account.firstMs < beganMs && !account.charged.has(before.metadata.name);
      });
    return budget && `${nameOf(before)} is healthy and was evicted without a charge to ${nameOf(budget)}`;
  }
}

function allowedBy({ status }: PodDisruptionBudget): number {
  return status?.disruptionsAllowed ?? 0;
}

function judgeCharge(account: Account, before: PodDisruptionBudget, after: PodDisruptionBudget): string | undefined {
  account.left -= 1;
  for (const name of Object.keys(after.status?.disruptedPods ?? {})) account.charged.add(name);
  if (account.left < 0) return `${nameOf(after)} was charged for more evictions than it allowed`;
  const isOutdated = (before.status?.observedGeneration ?? 0) < (before.metadata.generation ?? 0);
  return isOutdated
    ? `${nameOf(after)} granted an eviction though it was not computed since it has changed`
    : undefined;
}

/** The healthy pods of a budget that are not evicted. One whose time is nearly over may count again. */
function countOf(pods: readonly Pod[], budget: PodDisruptionBudget, nowMs: number): number {
  const evicted = budget.status?.disruptedPods ?? {};
  const isEvicted = (name: string) =>
    evicted[name] !== undefined && Date.parse(evicted[name]) + DELETION_TIMEOUT_MS > nowMs + CLOCKS_DIFFER_MS;
  return pods.filter((pod) => selects(budget, pod) && !isEvicted(pod.metadata.name)).length;
}

function selects({ metadata, spec }: PodDisruptionBudget, pod: Pod): boolean {
  const isNear = metadata.namespace === pod.metadata.namespace;
  return isNear && matchesLabelSelector(spec?.selector, pod.metadata.labels);
}
