import type { JobCondition } from 'kubernetes-types/batch/v1.js';
import type { Job, Pod } from '../../objects/kinds.ts';
import type { JobAssessment } from './JobAssessment.ts';
import { countIndexes } from './indexIntervals.ts';
import { isIndexed, isSuspended, newCondition, trueCondition } from './jobState.ts';
import { matchPodFailurePolicy } from './matchPodFailurePolicy.ts';
import { matchSuccessPolicy } from './matchSuccessPolicy.ts';
import { isPodFailed } from './podFailures.ts';

/** What the end of a Job depends on. */
type FinishFacts = Omit<JobAssessment, 'finishing'>;

/**
 * Returns the condition that ends the Job before its completions are reached; `undefined` if it goes on. The order of `syncJob`: what was decided before stays, then the failure policy, the back-off limit, the deadline, the
 * limits of indexes and the success policy. A new failure is `FailureTarget` until all pods have ended, and one that the Job has already is `Failed`. Pure.
 */
export function decideFinish(facts: FinishFacts): JobCondition | undefined {
  const { job, nowMs } = facts;
  const met = trueCondition(job, 'SuccessCriteriaMet');
  if (met) return met;
  const target = trueCondition(job, 'FailureTarget');
  if (target) return failedFor(target, nowMs);
  const failure = failureOf(facts);
  if (failure) return newCondition('FailureTarget', failure, nowMs);
  const message = isIndexed(job)
    ? matchSuccessPolicy(job.spec?.successPolicy, job.spec?.completions ?? 0, facts.succeededIndexes)
    : undefined;
  return message === undefined
    ? undefined
    : newCondition('SuccessCriteriaMet', { reason: 'SuccessPolicy', message }, nowMs);
}

/** Returns the condition that a Job gets when all its pods have ended, from the one that it got before. Pure. */
export function failedFor({ reason = '', message = '' }: JobCondition, nowMs: number): JobCondition {
  return newCondition('Failed', { reason, message }, nowMs);
}

/** The condition of a Job whose completions are reached. */
export function completionsReached(nowMs: number): JobCondition {
  const message = 'Reached expected number of succeeded pods';
  return newCondition('SuccessCriteriaMet', { reason: 'CompletionsReached', message }, nowMs);
}

/** Returns in how many milliseconds the Job exceeds its activeDeadlineSeconds; `undefined` if it has none, is suspended or has not started. Pure. */
export function deadlineInMs({ job, startedAtMs, nowMs }: FinishFacts): number | undefined {
  const seconds = job.spec?.activeDeadlineSeconds;
  if (seconds === undefined || startedAtMs === undefined || isSuspended(job)) return undefined;
  return startedAtMs + seconds * 1000 - nowMs;
}

interface Failure {
  readonly reason: string;
  readonly message: string;
}

const BACKOFF_LIMIT: Failure = {
  reason: 'BackoffLimitExceeded',
  message: 'Job has reached the specified backoff limit',
};
const DEADLINE: Failure = { reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };
const TOO_MANY_INDEXES: Failure = {
  reason: 'MaxFailedIndexesExceeded',
  message: 'Job has exceeded the specified maximal number of failed indexes',
};
const FAILED_INDEXES: Failure = { reason: 'FailedIndexes', message: 'Job has failed indexes' };

function failureOf(facts: FinishFacts): Failure | undefined {
  const { job, pods, failed } = facts;
  const message = getFailJobMessage(job, pods);
  if (message !== undefined) return { reason: 'PodFailurePolicy', message };
  const limit = job.spec?.backoffLimit ?? Number.POSITIVE_INFINITY;
  if (failed > limit || pastBackoffLimitOnFailure(job, pods)) return BACKOFF_LIMIT;
  if ((deadlineInMs(facts) ?? 1) <= 0) return DEADLINE;
  return indexFailure(facts);
}

function indexFailure({ job, failedIndexes, succeededIndexes }: FinishFacts): Failure | undefined {
  const failed = countIndexes(failedIndexes ?? []);
  if (failed > (job.spec?.maxFailedIndexes ?? Number.POSITIVE_INFINITY)) return TOO_MANY_INDEXES;
  const isOver = failed > 0 && failed + countIndexes(succeededIndexes) >= (job.spec?.completions ?? 0);
  return isOver ? FAILED_INDEXES : undefined;
}

function getFailJobMessage(job: Job, pods: readonly Pod[]): string | undefined {
  const policy = job.spec?.podFailurePolicy;
  if (!policy) return undefined;
  const failed = pods.filter((pod) => isPodFailed(job, pod));
  return failed.map((pod) => matchPodFailurePolicy(policy, pod).message).find((message) => message !== undefined);
}

/** With restart policy OnFailure, the restarts of containers that have not ended count against the limit: Kubernetes' function of this name. */
function pastBackoffLimitOnFailure({ spec }: Job, pods: readonly Pod[]): boolean {
  if (spec?.template.spec?.restartPolicy !== 'OnFailure') return false;
  const limit = spec.backoffLimit ?? Number.POSITIVE_INFINITY;
  const restarts = pods
    .filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending')
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
  return limit === 0 ? restarts > 0 : restarts >= limit;
}
