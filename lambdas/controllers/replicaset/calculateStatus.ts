import type { ReplicaSetCondition, ReplicaSetStatus } from 'kubernetes-types/apps/v1.js';
import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import { isPodAvailable, isPodReady, podAvailableAtMs } from '../../objects/pods/podState.ts';
import { rememberLast } from '../../objects/rememberLast.ts';
import { formatTime } from '../../ports/Clock.ts';
import { desiredReplicas, type ReplicaOwner, type ReplicaOwnerKind, templateOf } from './ReplicaOwner.ts';

/** The ReplicaSetStatus of `apps/v1`, with the count that Kubernetes has shown since 1.35. ReplicationControllers have the same status without that count. */
export type ReplicaStatus = ReplicaSetStatus & { terminatingReplicas?: number };

export interface StatusFacts {
  readonly owner: ReplicaOwner;
  readonly kind: ReplicaOwnerKind;
  /** The active pods after this sync's creates and deletes. */
  readonly active: readonly Pod[];
  /** UIDs of those active pods that a recorded intent deletes, by this sync or the next. */
  readonly leavingUids: ReadonlySet<string>;
  readonly terminating: number;
  /** The number of active pods before this sync's creates and deletes. */
  readonly activeBefore: number;
  /** The message of the first error of a create or a delete. */
  readonly failure: string | undefined;
  readonly nowMs: number;
  /** The counts of the active pods, where they are known already. */
  readonly counts?: ReplicaCounts | undefined;
}

/** The counts of a status. */
export interface ReplicaCounts {
  readonly replicas: number;
  readonly fullyLabeledReplicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
}

/**
 * Returns the owner's status: the stored object itself if nothing changed. A ReplicaFailure condition keeps its first message until it goes away. A pod that is leaving does not count as available, although it
 * may still be: a Deployment would delete another one that it needs, if this ReplicaSet has got a larger size since the deletes were planned. Pure.
 */
export function calculateStatus(facts: StatusFacts): ReplicaStatus {
  const { owner, kind } = facts;
  const { metadata, status } = owner;
  const conditions = decideConditions(facts);
  const counted = facts.counts ?? countReplicas(facts);
  const next: ReplicaStatus = {
    replicas: counted.replicas,
    ...(counted.fullyLabeledReplicas > 0 && { fullyLabeledReplicas: counted.fullyLabeledReplicas }),
    ...(counted.readyReplicas > 0 && { readyReplicas: counted.readyReplicas }),
    ...(counted.availableReplicas > 0 && { availableReplicas: counted.availableReplicas }),
    ...(kind.countsTerminating && { terminatingReplicas: facts.terminating }),
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
    ...(conditions.length > 0 && { conditions: [...conditions] }),
  };
  return status && sameStatus(status, next) ? status : next;
}

/** Returns the milliseconds until the next ready pod becomes available (`FindMinNextPodAvailabilityCheck`), or `undefined` if no pod is about to. Pure. */
export function nextAvailableInMs(
  { spec }: { readonly spec?: { readonly minReadySeconds?: number } },
  active: readonly Pod[],
  nowMs: number,
): number | undefined {
  const minReadySeconds = spec?.minReadySeconds ?? 0;
  // Then a pod is available as soon as it is ready.
  if (minReadySeconds === 0) return undefined;
  let least: number | undefined;
  for (const pod of active) {
    if (isPodAvailable(pod, minReadySeconds, nowMs)) continue;
    const delayMs = (podAvailableAtMs(pod, minReadySeconds) ?? Number.NEGATIVE_INFINITY) - nowMs;
    if (delayMs > 0 && (least === undefined || delayMs < least)) least = delayMs;
  }
  return least;
}

/** Counts in one pass, since an owner may have tens of thousands of pods. */
export function countReplicas({
  owner,
  active,
  leavingUids,
  nowMs,
}: Pick<StatusFacts, 'owner' | 'active' | 'leavingUids' | 'nowMs'>): ReplicaCounts {
  const minReadySeconds = owner.spec?.minReadySeconds ?? 0;
  const isFullyLabeled = labelTest(templateOf(owner));
  const counted = { replicas: active.length, fullyLabeledReplicas: 0, readyReplicas: 0, availableReplicas: 0 };
  for (const pod of active) {
    const { labels, uid } = pod.metadata;
    if (isFullyLabeled(labels)) counted.fullyLabeledReplicas += 1;
    if (!isPodReady(pod)) continue;
    counted.readyReplicas += 1;
    const isAvailable = minReadySeconds === 0 || isPodAvailable(pod, minReadySeconds, nowMs);
    if (isAvailable && !leavingUids.has(uid)) counted.availableReplicas += 1;
  }
  return counted;
}

/** Returns a test for whether labels include all that the template has. */
export function labelTest(template: PodTemplateSpec): (labels: Pod['metadata']['labels']) => boolean {
  const wanted = Object.entries(template.metadata?.labels ?? {});
  return rememberLast((labels) => wanted.every(([key, value]) => labels?.[key] === value));
}

function decideConditions({ owner, activeBefore, failure, nowMs }: StatusFacts): readonly ReplicaSetCondition[] {
  const conditions = (owner.status?.conditions ?? []) as readonly ReplicaSetCondition[];
  const hasFailed = conditions.some(({ type }) => type === 'ReplicaFailure');
  if (failure === undefined) return conditions.filter(({ type }) => type !== 'ReplicaFailure');
  if (hasFailed) return conditions;
  const condition: ReplicaSetCondition = {
    type: 'ReplicaFailure',
    status: 'True',
    lastTransitionTime: formatTime(nowMs),
    reason: activeBefore < desiredReplicas(owner) ? 'FailedCreate' : 'FailedDelete',
    message: failure,
  };
  return [...conditions, condition];
}

const COUNTS = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'terminatingReplicas',
  'observedGeneration',
] as const;

/** An absent count is 0, as Kubernetes leaves zeros out. */
function sameStatus(a: ReplicaStatus, b: ReplicaStatus): boolean {
  const conditionsOf = (status: ReplicaStatus) => JSON.stringify(status.conditions ?? []);
  return COUNTS.every((field) => (a[field] ?? 0) === (b[field] ?? 0)) && conditionsOf(a) === conditionsOf(b);
}
