import { completionIndexOf } from '../../objects/pods/jobPods.ts';
import type { Job, Pod } from '../../objects/kinds.ts';
import { isPodTerminating } from '../../objects/pods/podState.ts';
import type { Reason } from './jobReasons.ts';
import { sortActivePodsWithRanks } from '../replicaset/getPodsToDelete.ts';
import { indexesOf } from './assessJob.ts';
import type { JobAssessment } from './JobAssessment.ts';
import { firstMissing, mergeIntervals } from './indexIntervals.ts';
import { hasBackoffLimitPerIndex, isIndexed, isSuspended, isValidIndex } from './jobState.ts';
import {
  backoffRecordOf,
  onlyReplaceFailedPods,
  remainingBackoffMs,
  remainingBackoffOfIndexMs,
} from './podFailures.ts';

/** Kubernetes' MaxPodCreateDeletePerSync. */
const MAX_PODS_PER_SYNC = 500;

/** Which pods a sync creates and deletes. */
export interface PodsPlan {
  /** Pods to delete that the Job never counts, because it no longer wants them: their finalizer goes first. */
  readonly abandon: readonly Pod[];
  /** Pods to delete whose finalizer stays until the Job has counted them. */
  readonly deletes: readonly Pod[];
  readonly creates: number;
  /** The completion index of each pod to create, in a Job with indexes. */
  readonly indexes?: readonly number[];
  /** When pods may be created that have to wait now; milliseconds. */
  readonly retryInMs?: number;
  /** True when the next sync has more pods to create or to delete. */
  readonly lookAgain: boolean;
  readonly why: Reason;
}

const NOTHING = { abandon: [], deletes: [], creates: 0, lookAgain: false } as const;

/**
 * Decides which pods to create and to delete. A Job that ends deletes all its active pods, and one that is being deleted leaves them to the garbage collector. Kubernetes' `manageJob` also creates and deletes them. Pods are
 * deleted before others are created, in a sync of their own. Pure.
 */
export function manageJob(assessment: JobAssessment): PodsPlan {
  const { job, active, finishing } = assessment;
  if (finishing) {
    const { type, reason = '' } = finishing;
    return {
      ...NOTHING,
      deletes: active,
      why: { reason: 'jobEnds', condition: type, because: reason, pods: active.length },
    };
  }
  if (job.metadata.deletionTimestamp !== undefined) return { ...NOTHING, why: { reason: 'ownerIsBeingDeleted' } };
  if (isSuspended(job)) return removal(active, { reason: 'jobIsSuspended', pods: active.length });
  const wanted = wantedActive(assessment);
  const surplus = activePodsForRemoval(assessment, Math.max(0, active.length - wanted));
  if (surplus.length > 0)
    return removal(surplus, { reason: 'tooManyJobPods', wanted, active: active.length, deletes: surplus.length });
  return decideCreates(assessment, wanted);
}

function removal(pods: readonly Pod[], why: Reason): PodsPlan {
  const lookAgain = pods.length > MAX_PODS_PER_SYNC;
  return { ...NOTHING, abandon: pods.slice(0, MAX_PODS_PER_SYNC), lookAgain, why };
}

/** A Job without `completions` runs as many pods as its parallelism, until the first success; then it lets the others end. */
function wantedActive({ job: { spec }, active, succeeded }: JobAssessment): number {
  const parallelism = spec?.parallelism ?? 1;
  if (spec?.completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(parallelism, spec.completions - succeeded));
}

/** In a Job with indexes, pods without a valid index and all but one of each index go first; then those that would be missed least. Kubernetes' function of this name. */
function activePodsForRemoval({ job, active, nowMs }: JobAssessment, atLeast: number): readonly Pod[] {
  const sorted = sortActivePodsWithRanks(active, { related: [], minReadySeconds: 0, nowMs });
  const surplus = isIndexed(job) ? new Set(duplicates(job, sorted)) : new Set<Pod>();
  const others = sorted.filter((pod) => !surplus.has(pod));
  return [...surplus, ...others.slice(0, Math.max(0, atLeast - surplus.size))];
}

/** The pod of an index that comes last is the one that stays. */
function duplicates(job: Job, sorted: readonly Pod[]): readonly Pod[] {
  const last = new Map(sorted.map((pod) => [completionIndexOf(pod), pod]));
  return sorted.filter((pod) => {
    const index = completionIndexOf(pod);
    return !isValidIndex(job, index) || last.get(index) !== pod;
  });
}

function decideCreates(assessment: JobAssessment, wanted: number): PodsPlan {
  const { job, active, pods, vanished, nowMs } = assessment;
  const terminating = onlyReplaceFailedPods(job) ? assessment.terminating : 0;
  const missing = wanted - terminating - active.length;
  if (missing <= 0) return { ...NOTHING, why: { reason: 'enoughJobPods', wanted, active: active.length, terminating } };
  const record = backoffRecordOf(pods, vanished);
  const delayMs = hasBackoffLimitPerIndex(job) ? 0 : remainingBackoffMs(record, nowMs);
  if (delayMs > 0) return waiting(record.failures, delayMs);
  const count = Math.min(missing, MAX_PODS_PER_SYNC);
  const lookAgain = count < missing;
  const why = (creates: number) => ({ reason: 'tooFewJobPods', wanted, active: active.length, creates }) as const;
  if (!isIndexed(job)) return { ...NOTHING, creates: count, lookAgain, why: why(count) };
  const { now, retryInMs } = creatableIndexes(assessment, firstPendingIndexes(assessment, count));
  if (now.length === 0 && retryInMs !== undefined) return waiting(undefined, retryInMs);
  const retry = retryInMs === undefined ? {} : { retryInMs };
  return { ...NOTHING, ...retry, creates: now.length, indexes: now, lookAgain, why: why(now.length) };
}

function waiting(failures: number | undefined, delayMs: number): PodsPlan {
  return { ...NOTHING, retryInMs: delayMs, why: { reason: 'jobBacksOff', failures, delayMs } };
}

/** Returns the lowest indexes that have neither succeeded nor failed for good, and no pod: Kubernetes' function of this name. */
function firstPendingIndexes(
  { job, pods, active, succeededIndexes, failedIndexes = [] }: JobAssessment,
  count: number,
): number[] {
  const terminating = onlyReplaceFailedPods(job) ? pods.filter(isPodTerminating) : [];
  const busy = mergeIntervals(indexesOf(active), indexesOf(terminating));
  const taken = mergeIntervals(mergeIntervals(succeededIndexes, failedIndexes), busy);
  return firstMissing(taken, count, job.spec?.completions ?? 0);
}

/** Leaves out the indexes that wait after a failure, and says when the first of them may have its pod: `getPodCreationInfoForIndependentIndexes`. */
function creatableIndexes({ job, heldPods, nowMs }: JobAssessment, indexes: readonly number[]) {
  if (!hasBackoffLimitPerIndex(job)) return { now: indexes, retryInMs: undefined };
  const delayed = indexes.map((index) => ({ index, delayMs: remainingBackoffOfIndexMs(heldPods.get(index), nowMs) }));
  const later = delayed.filter(({ delayMs }) => delayMs > 0).map(({ delayMs }) => delayMs);
  return {
    now: delayed.filter(({ delayMs }) => delayMs === 0).map(({ index }) => index),
    retryInMs: later.length === 0 ? undefined : Math.min(...later),
  };
}
