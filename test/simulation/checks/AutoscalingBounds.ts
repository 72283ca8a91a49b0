import type { HPAScalingPolicy, HPAScalingRules } from 'kubernetes-types/autoscaling/v2.js';
import type { Deployment, HorizontalPodAutoscaler } from '../../../lambdas/objects/kinds.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import { LOAD_METRIC } from '../newAutoscaler.ts';
import type { SyncTrail } from '../SyncTrail.ts';
import { nameOf } from '../World.ts';
import type { Check } from './Check.ts';

/** Two workers' clocks differ by less than this, in milliseconds. */
const CLOCKS_DIFFER_MS = 2_000;
/** Without a behavior an autoscaler may double the replicas, or have four, in this time; and it goes down to the highest recommendation of this window. */
const USUAL = { periodMs: 15_000, windowMs: 300_000 } as const;
/** The tolerance of all autoscalers here. */
const TOLERANCE = 0.1;

/** A change of the replicas. */
interface ScaleWrite {
  readonly atMs: number;
  readonly change: number;
}

/** A sync that has ended, and the fewest replicas that its metrics asked for. */
interface Recommended {
  readonly beganMs: number;
  readonly atLeast: number;
}

/**
 * Whatever crashes, an autoscaler sets no replicas outside of its bounds, changes them no faster than its policies let it, counted from when each change landed, and removes none that a sync within its window asked for. All of this by the
 * spec that the sync read, and computed here once more. Its status never forgets when it changed them last.
 */
export class AutoscalingBounds implements Check {
  /** By the autoscaler's UID, the oldest first. */
  readonly #writes = new Map<string, ScaleWrite[]>();
  readonly #recommended = new Map<string, Recommended[]>();
  /** The totals of the metric outside, with the times at which they were set. */
  readonly #totals: { readonly atMs: number; readonly total: number }[] = [];

  onWrite({ writer, trail, change }: AuditedWrite, nowMs: number): string | undefined {
    const { before, after } = change;
    if (change.resource === 'namespaces' && after?.metadata.name === 'a') this.#noteTotal(after.metadata, nowMs);
    if (change.resource === 'horizontalpodautoscalers.autoscaling')
      return before && after && judgeStatus(before, after);
    if (writer !== 'horizontalpodautoscaler' || change.resource !== 'deployments.apps' || !before || !after)
      return undefined;
    const [from, to] = [before, after].map((one) => (one as Deployment).spec?.replicas ?? 0);
    const autoscaler: HorizontalPodAutoscaler | undefined = trail?.subject;
    if (!trail || !autoscaler || from === undefined || to === undefined)
      return `${nameOf(after)} was written by nobody`;
    if (from === to) return undefined;
    const wrong =
      outOfBounds(autoscaler, to) ??
      this.#tooFast(autoscaler, from, to, nowMs) ??
      this.#againstWindow(autoscaler, from, to, trail.beganMs);
    const { uid } = autoscaler.metadata;
    this.#writes.set(uid, [...(this.#writes.get(uid) ?? []), { atMs: nowMs, change: to - from }]);
    return wrong && `${nameOf(autoscaler)} sets ${to} replicas in place of ${from}: ${wrong}`;
  }

  /** Notes what a sync recommended for sure: it saw a target that it scales by its metric, and the metric was never below this while it ran. */
  onSyncEnd({ subject, scaled, beganMs }: SyncTrail, nowMs: number): void {
    if (subject?.kind !== 'HorizontalPodAutoscaler') return;
    const { spec, metadata } = subject as HorizontalPodAutoscaler;
    const { minReplicas = 1, maxReplicas = 1 } = spec ?? {};
    const sizes = scaled.map((one: Deployment | undefined) => one?.spec?.replicas ?? 0);
    const isInBounds = sizes.every((size) => size >= Math.max(1, minReplicas) && size <= maxReplicas);
    if (!isInBounds || spec?.metrics?.[0]?.type !== 'External') return;
    const atLeast = Math.ceil(this.#leastTotal(beganMs, nowMs) / (LOAD_METRIC.perPod * (1 + TOLERANCE)));
    this.#recommended.set(metadata.uid, [...(this.#recommended.get(metadata.uid) ?? []), { beganMs, atLeast }]);
  }

  #noteTotal({ annotations }: Deployment['metadata'], atMs: number): void {
    const total = Number(annotations?.[`simulate.driftless.dev/external-${LOAD_METRIC.name}`]);
    if (!Number.isNaN(total)) this.#totals.push({ atMs, total });
  }

  /** The least total between two times; 0 if it was not known at first. */
  #leastTotal(fromMs: number, untilMs: number): number {
    const first = this.#totals.findLast(({ atMs }) => atMs <= fromMs);
    const during = this.#totals.filter(({ atMs }) => atMs > fromMs && atMs <= untilMs);
    return Math.min(first?.total ?? 0, ...during.map(({ total }) => total));
  }

  #tooFast(autoscaler: HorizontalPodAutoscaler, from: number, to: number, nowMs: number): string | undefined {
    const { minReplicas = 1, maxReplicas = 1, behavior } = autoscaler.spec ?? {};
    // What is out of bounds is brought back at once, as in Kubernetes.
    if (from > maxReplicas || from < minReplicas) return undefined;
    const isUp = to > from;
    const rules = isUp ? behavior?.scaleUp : behavior?.scaleDown;
    const startOf = (periodMs: number) => from - this.#changedWithin(autoscaler, periodMs, isUp, nowMs);
    if (!rules) {
      const limit = Math.max(2 * startOf(USUAL.periodMs), 4);
      return isUp && to > limit ? `at most ${limit} may be there` : undefined;
    }
    if (rules.selectPolicy === 'Disabled') return 'that is disabled';
    const limits = (rules.policies ?? []).map((policy) => limitOf(policy, startOf(policy.periodSeconds * 1_000), isUp));
    const limit = farthest(limits, rules, isUp);
    const isTooFar = isUp ? to > limit : to < limit;
    return isTooFar ? `${limit} is as far as its policies let it go` : undefined;
  }

  /** The sum of the changes that a period contains by the clock that lets the autoscaler go farthest. */
  #changedWithin({ metadata }: HorizontalPodAutoscaler, periodMs: number, isUp: boolean, nowMs: number): number {
    const counted = (this.#writes.get(metadata.uid) ?? []).filter(({ atMs, change }) => {
      const slackMs = change > 0 === isUp ? -CLOCKS_DIFFER_MS : CLOCKS_DIFFER_MS;
      return atMs > nowMs - periodMs - slackMs;
    });
    return counted.reduce((sum, { change }) => sum + change, 0);
  }

  #againstWindow(autoscaler: HorizontalPodAutoscaler, from: number, to: number, beganMs: number): string | undefined {
    const { maxReplicas = 1, behavior } = autoscaler.spec ?? {};
    if (to > from || from > maxReplicas) return undefined;
    const windowSeconds = behavior?.scaleDown?.stabilizationWindowSeconds;
    const windowMs = windowSeconds === undefined ? USUAL.windowMs : windowSeconds * 1_000;
    const recent = (this.#recommended.get(autoscaler.metadata.uid) ?? []).filter(
      (one) => one.beganMs > beganMs - windowMs + CLOCKS_DIFFER_MS,
    );
    const higher = recent.find(({ atLeast }) => Math.min(atLeast, from, maxReplicas) > to);
    return higher && `${higher.atLeast} were asked for ${beganMs - higher.beganMs} ms before`;
  }
}

function judgeStatus(before: HorizontalPodAutoscaler, after: HorizontalPodAutoscaler): string | undefined {
  const [was, is] = [before, after].map(({ status }) => status?.lastScaleTime);
  const isKept = was === undefined || (is !== undefined && Date.parse(is) >= Date.parse(was) - CLOCKS_DIFFER_MS);
  return before.metadata.uid !== after.metadata.uid || isKept
    ? undefined
    : `${nameOf(after)} was scaled at ${was}, and says ${is ?? 'never'} now`;
}

function outOfBounds({ spec }: HorizontalPodAutoscaler, to: number): string | undefined {
  const { minReplicas = 1, maxReplicas = 1 } = spec ?? {};
  return to < minReplicas || to > maxReplicas ? `its bounds are ${minReplicas} and ${maxReplicas}` : undefined;
}

function limitOf({ type, value }: HPAScalingPolicy, start: number, isUp: boolean): number {
  if (type === 'Pods') return isUp ? start + value : start - value;
  return isUp ? Math.ceil(start * (1 + value / 100)) : Math.trunc(start * (1 - value / 100));
}

function farthest(limits: readonly number[], { selectPolicy }: HPAScalingRules, isUp: boolean): number {
  return isUp === (selectPolicy === 'Min') ? Math.min(...limits) : Math.max(...limits);
}
