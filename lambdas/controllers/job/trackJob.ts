import type { JobCondition, JobStatus } from 'kubernetes-types/batch/v1.js';
import { completionIndexOf, isTracked } from '../../objects/pods/jobPods.ts';
import type { Pod } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';
import { countsAsFailed } from './assessJob.ts';
import type { JobAssessment } from './JobAssessment.ts';
import { completionsReached, failedFor } from './decideFinish.ts';
import { encodeIntervals, hasIndex } from './indexIntervals.ts';
import {
  hasBackoffLimitPerIndex,
  isIndexed,
  isSuspended,
  isValidIndex,
  newCondition,
  withCondition,
} from './jobState.ts';
import { isPodFailed } from './podFailures.ts';

/** Kubernetes' MaxUncountedPods: so many pods are counted in one sync, so that their UIDs take about 20 KB of the status. */
const MAX_UNCOUNTED_PODS = 500;

/** The Job's pods after this sync's creates and deletes. */
export interface PodCounts {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
  /** True if no request of this sync, or of an earlier one, can change the active pods any more, and those that had to be deleted are. */
  readonly isSettled: boolean;
}

/** What a sync writes about the pods that it counts: first `status`, then the finalizers of `release` go, then the status of `statusAfterRelease`. */
export interface Tracking {
  readonly status: JobStatus;
  readonly release: readonly Pod[];
  /** The condition that the Job gets when all its pods are counted and none is terminating. */
  readonly final: JobCondition | undefined;
  /** True when there are more pods to count than one sync counts. */
  readonly lookAgain: boolean;
}

/**
 * Decides how finished pods are counted, each exactly once whatever crashes: first the status names the pod (`uncountedTerminatedPods`, or its index), then its finalizer goes, and only then it is a number. A pod that
 * is named and has no finalizer any more is counted by the next sync. Kubernetes' `trackJobStatusAndRemoveFinalizers`. Pure.
 */
export function trackJob(assessment: JobAssessment, counts: PodCounts): Tracking {
  const { job, pods, nowMs } = assessment;
  const finishing = finishingAfter(assessment, counts);
  const cleaned = countReleased(job.status ?? {}, new Set(pods.filter(isTracked).map(({ metadata }) => metadata.uid)));
  const named = nameFinished(assessment, finishing, cleaned);
  const conditions = conditionsAfter(assessment, finishing);
  const startTime = startTimeAfter(assessment, conditions, (finishing ?? assessment.finishing) !== undefined);
  const { startTime: _, ...counted } = named.status;
  const status: JobStatus = {
    ...counted,
    ...(conditions.length > 0 && { conditions: [...conditions] }),
    ...(startTime !== undefined && { startTime }),
    ...indexStatus(assessment),
    active: counts.active,
    ready: counts.ready,
    terminating: counts.terminating,
  };
  return {
    status: withoutZeros(status),
    release: named.release,
    final: finalFor(finishing, nowMs),
    lookAgain: named.lookAgain,
  };
}

/**
 * Returns the status after the finalizers of these pods are gone: they are counted, and the Job gets its final condition if nothing is left to wait for (`enactJobFinished`). `tracked` are the UIDs of the pods that
 * still have the finalizer. Pure.
 */
export function statusAfterRelease(
  { status, release, final, lookAgain }: Tracking,
  tracked: ReadonlySet<string>,
): JobStatus {
  const counted = countReleased(status, tracked);
  const isHeld = release.some(({ metadata }) => tracked.has(metadata.uid));
  const { uncountedTerminatedPods: uncounted, terminating = 0 } = counted;
  const isOver = !lookAgain && !isHeld && !uncounted?.succeeded && !uncounted?.failed && terminating === 0;
  if (!final || !isOver) return counted;
  return {
    ...counted,
    conditions: [...withCondition(counted.conditions ?? [], final)],
    ...(final.type === 'Complete' && { completionTime: final.lastTransitionTime ?? '' }),
  };
}

/** The condition that ends the Job, now that its pods are deleted; or the one of a Job whose completions are reached. */
function finishingAfter(
  { job, finishing, succeeded, nowMs }: JobAssessment,
  counts: PodCounts,
): JobCondition | undefined {
  if (finishing) return counts.isSettled && counts.active === 0 ? finishing : undefined;
  const { completions } = job.spec ?? {};
  const isReached = completions === undefined ? succeeded > 0 : succeeded >= completions;
  return isReached && counts.active === 0 && counts.isSettled ? completionsReached(nowMs) : undefined;
}

/** A Job gets `FailureTarget` and `SuccessCriteriaMet` before its pods lose their finalizers. */
function conditionsAfter(
  { job, finishing: decided, nowMs }: JobAssessment,
  finishing: JobCondition | undefined,
): readonly JobCondition[] {
  const conditions = job.status?.conditions ?? [];
  if (finishing?.type === 'Failed') return conditions;
  if (finishing) return withCondition(conditions, finishing);
  if (decided || job.metadata.deletionTimestamp !== undefined) return conditions;
  return withCondition(
    conditions,
    isSuspended(job)
      ? newCondition('Suspended', { reason: 'JobSuspended', message: 'Job suspended' }, nowMs)
      : newCondition('Suspended', { status: 'False', reason: 'JobResumed', message: 'Job resumed' }, nowMs),
  );
}

/**
 * A Job that is suspended has not started, as in Kubernetes since 1.36, and one that is resumed starts anew. One that ends in that very sync stays suspended to its end, and keeps its time: only a Job that says that it is
 * resumed may change it. A Job that has ended must tell a time, so one whose last pods succeed after it was suspended starts when it ends; without any completions it need not.
 */
function startTimeAfter(
  { job, startedAtMs, nowMs }: JobAssessment,
  conditions: readonly JobCondition[],
  isEnding: boolean,
): string | undefined {
  const stored = job.status?.startTime;
  const staysSuspended = conditions.some(({ type, status }) => type === 'Suspended' && status === 'True');
  if (isSuspended(job) && staysSuspended && !isEnding) return undefined;
  if (stored !== undefined && staysSuspended) return stored;
  if (startedAtMs !== undefined) return formatTime(startedAtMs);
  return isEnding && job.spec?.completions !== 0 ? formatTime(nowMs) : undefined;
}

/** A new interim condition leads to the final one with the same reason. */
function finalFor(finishing: JobCondition | undefined, nowMs: number): JobCondition | undefined {
  if (!finishing || finishing.type === 'Failed') return finishing;
  if (finishing.type === 'FailureTarget') return failedFor(finishing, nowMs);
  const { reason = '', message = '' } = finishing;
  return newCondition('Complete', { reason, message }, nowMs);
}

/** Names the pods that are to be counted, at most as many as one sync counts. */
function nameFinished(assessment: JobAssessment, finishing: JobCondition | undefined, status: JobStatus) {
  const { job, pods } = assessment;
  const succeeded = [...(status.uncountedTerminatedPods?.succeeded ?? [])];
  const failed = [...(status.uncountedTerminatedPods?.failed ?? [])];
  const release: Pod[] = [];
  let newIndexes = 0;
  let lookAgain = false;
  for (const pod of isIndexed(job) ? byCompletionIndex(pods) : pods) {
    if (!isTracked(pod) || !canRemoveFinalizer(assessment, finishing, pod)) continue;
    if (newIndexes + succeeded.length + failed.length >= MAX_UNCOUNTED_PODS) {
      lookAgain = true;
      break;
    }
    release.push(pod);
    const { uid } = pod.metadata;
    switch (countAs(assessment, finishing, pod)) {
      case 'index':
        newIndexes++;
        break;
      case 'succeeded':
        if (!succeeded.includes(uid)) succeeded.push(uid);
        break;
      case 'failed':
        if (!failed.includes(uid)) failed.push(uid);
        break;
      case undefined:
        break;
    }
  }
  return { status: { ...status, uncountedTerminatedPods: { succeeded, failed } }, release, lookAgain };
}

/** As what a pod is counted whose finalizer goes; `undefined` if it is not counted, since it is ignored, has no valid index, or the Job has succeeded without it. */
function countAs(
  { job, uncounted, countedIndexes }: JobAssessment,
  finishing: JobCondition | undefined,
  pod: Pod,
): 'index' | 'succeeded' | 'failed' | undefined {
  const index = completionIndexOf(pod);
  if (pod.status?.phase === 'Succeeded' && !uncounted.failed.has(pod.metadata.uid)) {
    if (!isIndexed(job)) return 'succeeded';
    return isValidIndex(job, index) && !hasIndex(countedIndexes, index) ? 'index' : undefined;
  }
  const isFailed = isPodFailed(job, pod) || (finishing !== undefined && finishing.type !== 'SuccessCriteriaMet');
  if (!isFailed || (isIndexed(job) && !isValidIndex(job, index))) return undefined;
  return countsAsFailed(job, pod) ? 'failed' : undefined;
}

function canRemoveFinalizer({ job, heldPods }: JobAssessment, finishing: JobCondition | undefined, pod: Pod): boolean {
  if (job.metadata.deletionTimestamp !== undefined || finishing || pod.status?.phase === 'Succeeded') return true;
  if (!isPodFailed(job, pod)) return false;
  const index = completionIndexOf(pod);
  return index === undefined || heldPods.get(index)?.metadata.uid !== pod.metadata.uid;
}

function byCompletionIndex(pods: readonly Pod[]): readonly Pod[] {
  return pods.toSorted((a, b) => (completionIndexOf(a) ?? -1) - (completionIndexOf(b) ?? -1));
}

/** Counts the pods that the status names and that have lost their finalizer: `cleanUncountedPodsWithoutFinalizers`. */
function countReleased(status: JobStatus, tracked: ReadonlySet<string>): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const left = {
    succeeded: succeeded.filter((uid) => tracked.has(uid)),
    failed: failed.filter((uid) => tracked.has(uid)),
  };
  return withoutZeros({
    ...status,
    uncountedTerminatedPods: left,
    succeeded: (status.succeeded ?? 0) + succeeded.length - left.succeeded.length,
    failed: (status.failed ?? 0) + failed.length - left.failed.length,
  });
}

function indexStatus({ job, succeededIndexes, succeeded, failedIndexes = [] }: JobAssessment): Partial<JobStatus> {
  if (!isIndexed(job)) return {};
  return {
    completedIndexes: encodeIntervals(succeededIndexes),
    succeeded,
    ...(hasBackoffLimitPerIndex(job) && { failedIndexes: encodeIntervals(failedIndexes) }),
  };
}

/** Leaves out what Kubernetes leaves out: counts that are zero, but not `ready` and `terminating`, and empty lists. */
function withoutZeros({
  active = 0,
  succeeded = 0,
  failed = 0,
  completedIndexes = '',
  ...status
}: JobStatus): JobStatus {
  const { succeeded: named = [], failed: failures = [] } = status.uncountedTerminatedPods ?? {};
  return {
    ...status,
    ...(active > 0 && { active }),
    ...(succeeded > 0 && { succeeded }),
    ...(failed > 0 && { failed }),
    ...(completedIndexes !== '' && { completedIndexes }),
    uncountedTerminatedPods: {
      ...(named.length > 0 && { succeeded: [...named] }),
      ...(failures.length > 0 && { failed: [...failures] }),
    },
  };
}
