import { completionIndexOf, indexFailuresOf, isTracked } from '../../objects/pods/jobPods.ts';
import type { Job, Pod } from '../../objects/kinds.ts';
import { isPodActive, isPodReady, isPodTerminating } from '../../objects/pods/podState.ts';
import { decideFinish } from './decideFinish.ts';
import { hasIndex, type Intervals, intervalsOf, mergeIntervals, parseIntervals } from './indexIntervals.ts';
import { isIndexed, isSuspended, isValidIndex, trueCondition } from './jobState.ts';
import { matchPodFailurePolicy } from './matchPodFailurePolicy.ts';
import { getFinishedTime, isPodFailed, vanishedFailures } from './podFailures.ts';
import type { JobAssessment, JobWorld } from './JobAssessment.ts';

/** Works out what the pods come to. Pure. */
export function assessJob(world: JobWorld): JobAssessment {
  const { job, pods, nowMs } = world;
  const { uncountedTerminatedPods, succeeded = 0, failed = 0 } = job.status ?? {};
  const uncounted = {
    succeeded: new Set(uncountedTerminatedPods?.succeeded),
    failed: new Set(uncountedTerminatedPods?.failed),
  };
  const active = pods.filter(isPodActive);
  const valid = pods.filter((pod) => isTracked(pod) && (!isIndexed(job) || isValidIndex(job, completionIndexOf(pod))));
  const newlyFailed = valid
    .filter(({ metadata }) => !uncounted.failed.has(metadata.uid))
    .filter((pod) => isPodFailed(job, pod));
  const newlySucceeded = valid.filter(
    ({ metadata, status }) => status?.phase === 'Succeeded' && !uncounted.succeeded.has(metadata.uid),
  );
  const indexes = assessIndexes(job, valid, active);
  const assessed = {
    ...world,
    vanished: vanishedFailures(pods, newlyFailed, world.vanished),
    active,
    terminating: pods.filter(isPodTerminating).length,
    ready: active.filter(isPodReady).length,
    succeeded: isIndexed(job) ? indexes.succeededCount : succeeded + newlySucceeded.length + uncounted.succeeded.size,
    failed: failed + newlyFailed.filter((pod) => countsAsFailed(job, pod)).length + uncounted.failed.size,
    uncounted,
    ...indexes,
    startedAtMs: startedAtMs(job, nowMs),
  };
  return { ...assessed, finishing: decideFinish(assessed) };
}

/** A Job starts when it is first not suspended, and again when it is resumed, so that its deadline counts from then. Milliseconds since the epoch; `undefined` before. */
function startedAtMs(job: Job, nowMs: number): number | undefined {
  const isEnding = trueCondition(job, 'FailureTarget') ?? trueCondition(job, 'SuccessCriteriaMet');
  const isResumed = !isSuspended(job) && !isEnding && trueCondition(job, 'Suspended');
  const startTime = isResumed ? undefined : job.status?.startTime;
  if (startTime !== undefined) return Date.parse(startTime);
  return isSuspended(job) ? undefined : nowMs;
}

/** True unless the Job's failure policy ignores this failed pod. */
export function countsAsFailed({ spec }: Job, pod: Pod): boolean {
  return matchPodFailurePolicy(spec?.podFailurePolicy, pod).counts;
}

function assessIndexes(job: Job, valid: readonly Pod[], active: readonly Pod[]) {
  const completions = job.spec?.completions ?? 0;
  if (!isIndexed(job)) return { ...WITHOUT_INDEXES, succeededCount: 0 };
  const countedIndexes = parseIntervals(job.status?.completedIndexes, completions);
  const succeededIndexes = mergeIntervals(
    countedIndexes,
    indexesOf(valid.filter(({ status }) => status?.phase === 'Succeeded')),
  );
  const succeededCount = succeededIndexes.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  if (job.spec?.backoffLimitPerIndex === undefined)
    return { ...WITHOUT_INDEXES, countedIndexes, succeededIndexes, succeededCount };
  const failedIndexes = mergeIntervals(
    parseIntervals(job.status?.failedIndexes, completions),
    indexesOf(valid.filter((pod) => isIndexFailed(job, pod))),
  );
  const settled = mergeIntervals(mergeIntervals(succeededIndexes, failedIndexes), indexesOf(active));
  const heldPods = getPodsWithDelayedDeletionPerIndex(job, valid, settled);
  return { countedIndexes, succeededIndexes, succeededCount, failedIndexes, heldPods };
}

const WITHOUT_INDEXES = {
  countedIndexes: [],
  succeededIndexes: [],
  failedIndexes: undefined,
  heldPods: new Map<number, Pod>(),
} as const;

/** Returns the completion indexes of these pods. Pure. */
export function indexesOf(pods: readonly Pod[]): Intervals {
  return intervalsOf(pods.map(completionIndexOf).filter((index) => index !== undefined));
}

/** True if the pod's failure is one too many for its index, or its policy gives up the index. */
function isIndexFailed(job: Job, pod: Pod): boolean {
  if (!isPodFailed(job, pod)) return false;
  const { action, counts } = matchPodFailurePolicy(job.spec?.podFailurePolicy, pod);
  if (action === 'FailIndex') return true;
  return counts && indexFailuresOf(pod).counted >= (job.spec?.backoffLimitPerIndex ?? 0);
}

/**
 * Returns the last failed pod of each index that needs another pod. It keeps its finalizer until that pod exists: only the annotations of the failed pod say how often its index has failed. Kubernetes' function of this name.
 */
function getPodsWithDelayedDeletionPerIndex(
  job: Job,
  valid: readonly Pod[],
  settled: Intervals,
): ReadonlyMap<number, Pod> {
  const held = new Map<number, Pod>();
  for (const pod of valid.filter((one) => isPodFailed(job, one))) {
    const index = completionIndexOf(pod);
    if (index === undefined || hasIndex(settled, index)) continue;
    const other = held.get(index);
    if (!other || isLaterFailure(pod, other)) held.set(index, pod);
  }
  return held;
}

function isLaterFailure(pod: Pod, other: Pod): boolean {
  const failuresOf = (one: Pod) => indexFailuresOf(one).counted + indexFailuresOf(one).ignored;
  return failuresOf(other) <= failuresOf(pod) && getFinishedTime(pod) >= getFinishedTime(other);
}
