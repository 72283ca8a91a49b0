import type { JobCondition } from 'kubernetes-types/batch/v1.js';
import type { Job } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';

/** The types of a Job's conditions. The first two end it, and the next two say that it is about to end. */
export type JobConditionType = 'Complete' | 'Failed' | 'SuccessCriteriaMet' | 'FailureTarget' | 'Suspended';

/** Returns a condition that has just changed: Kubernetes' `newCondition`. Pure. */
export function newCondition(
  type: JobConditionType,
  { status = 'True', reason, message }: { readonly status?: string; readonly reason: string; readonly message: string },
  nowMs: number,
): JobCondition {
  const time = formatTime(nowMs);
  return { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message };
}

/** Returns the Job's condition of that type if it is true. */
export function trueCondition({ status }: Job, type: JobConditionType): JobCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type && condition.status === 'True');
}

/** Returns the condition that ended the Job, or `undefined` if it has not ended. */
export function finishedCondition(job: Job): JobCondition | undefined {
  return trueCondition(job, 'Complete') ?? trueCondition(job, 'Failed');
}

/** Returns the conditions with this one set; the same list if it says nothing new. A condition that is false is only set in place of one: `ensureJobConditionStatus`. Pure. */
export function withCondition(conditions: readonly JobCondition[], set: JobCondition): readonly JobCondition[] {
  const present = conditions.find(({ type }) => type === set.type);
  if (!present) return set.status === 'False' ? conditions : [...conditions, set];
  const says = ({ status, reason, message }: JobCondition) => JSON.stringify([status, reason, message]);
  return says(present) === says(set) ? conditions : conditions.map((one) => (one === present ? set : one));
}

/** True if each completion has an index. */
export function isIndexed({ spec }: Job): boolean {
  return spec?.completionMode === 'Indexed';
}

/** True if the index is one of the Job's. */
export function isValidIndex({ spec }: Job, index: number | undefined): index is number {
  return index !== undefined && index < (spec?.completions ?? 0);
}

/** True if the Job has a limit of failures for each index. */
export function hasBackoffLimitPerIndex({ spec }: Job): boolean {
  return spec?.backoffLimitPerIndex !== undefined;
}

/** True if the Job is to have no pods for now. */
export function isSuspended({ spec }: Job): boolean {
  return spec?.suspend === true;
}

/** Returns the name of the other controller that the Job leaves itself to; `undefined` for a Job of this one. Kubernetes' `managedByExternalController`. */
export function managedByOther({ spec }: Job): string | undefined {
  const { managedBy } = spec ?? {};
  return managedBy === JOB_CONTROLLER ? undefined : managedBy;
}

const JOB_CONTROLLER = 'kubernetes.io/job-controller';
