import type { JobCondition, JobStatus } from 'kubernetes-types/batch/v1.js';
import { isTracked } from '../../objects/pods/jobPods.ts';
import { namespacedName } from '../../objects/KubernetesObject.ts';
import type { Job, Pod } from '../../objects/kinds.ts';
import type { SyncContext } from '../Controller.ts';
import type { EventToRecord } from '../EventRecorder.ts';
import { type StatusUpdate, updateStatus } from '../updateStatus.ts';
import type { Reason } from './jobReasons.ts';
import type { JobAssessment } from './JobAssessment.ts';
import { finishedCondition } from './jobState.ts';
import { type Release, releaseCounted } from './releasePods.ts';
import { statusAfterRelease, type Tracking } from './trackJob.ts';

/** What counting the finished pods came to. `conflict`: the Job has changed. `notTried`: the sync's deadline has passed with something left to count. */
export interface CommittedTracking {
  readonly status: 'written' | 'conflict' | 'notTried';
  readonly isFinished: boolean;
  readonly failure: Error | undefined;
  readonly events: readonly EventToRecord[];
  readonly why: readonly Reason[];
  readonly writes: readonly string[];
}

const NOTHING = { isFinished: false, failure: undefined, events: [], why: [], writes: [] } as const;

/**
 * Writes the status that names the finished pods, removes their finalizers, then writes the status that has counted those whose finalizer is gone. A status is written only if it says something new.
 * `written` are the UIDs of pods that this sync has changed since they were read.
 */
export async function commitTracking(
  { job, pods }: JobAssessment,
  tracking: Tracking,
  written: ReadonlySet<string>,
  { registry }: SyncContext,
): Promise<CommittedTracking> {
  const named = await updateStatus<Job>(registry, 'jobs.batch', job, tracking.status);
  if (!isWritten(named)) return { ...NOTHING, status: statusOf(named) };
  const releases = await Promise.all(
    tracking.release.map((pod) => releaseCounted(registry, pod, written.has(pod.metadata.uid))),
  );
  const released = new Set(tracking.release.filter((_, nth) => releases[nth]?.status === 'released'));
  const counted = statusAfterRelease(tracking, trackedAfter(pods, released));
  const after = await updateStatus<Job>(registry, 'jobs.batch', named.object, counted);
  const isUnfinished = releases.some(({ status }) => status === 'notTried');
  return {
    status: isUnfinished ? 'notTried' : statusOf(after),
    isFinished: isWritten(after) && finishedCondition(after.object) !== undefined,
    failure: failureOf(releases),
    events: isWritten(after) ? eventsOf(job, after.object) : suspensionEvents(job, named.object),
    why: reasonsOf(tracking, released.size, counted),
    writes: [named, after].flatMap(({ status }) =>
      status === 'stored' ? [`status of jobs.batch ${namespacedName(job)}`] : [],
    ),
  };
}

/** A Job that is gone is looked at again, since its pods have to lose their finalizers. */
function statusOf(update: StatusUpdate<Job>): CommittedTracking['status'] {
  if (isWritten(update)) return 'written';
  return update.status === 'notTried' ? 'notTried' : 'conflict';
}

/** The stored status says what it should, whether it had to be written or not. */
function isWritten({ status }: StatusUpdate<Job>): boolean {
  return status === 'stored' || status === 'unchanged';
}

function trackedAfter(pods: readonly Pod[], released: ReadonlySet<Pod>): ReadonlySet<string> {
  return new Set(pods.filter((pod) => isTracked(pod) && !released.has(pod)).map(({ metadata }) => metadata.uid));
}

/** A pod that has changed in each try is tried again with the key's backoff, as one whose write failed. */
function failureOf(releases: readonly Release[]): Error | undefined {
  const failed = releases.flatMap((release) => (release.status === 'failed' ? [release.error] : []))[0];
  if (failed) return failed;
  return releases.some(({ status }) => status === 'changed')
    ? new Error('a pod changed each time that its tracking finalizer was to be removed')
    : undefined;
}

/** The events of `syncJob` and `recordJobFinished`. */
function eventsOf(before: Job, after: Job): EventToRecord[] {
  const finished = finishedCondition(after);
  return [...suspensionEvents(before, after), ...(finished ? finishEvents(after, finished) : [])];
}

function suspensionEvents(before: Job, after: Job): EventToRecord[] {
  const suspended = ({ status }: Job) => status?.conditions?.find(({ type }) => type === 'Suspended');
  const is = suspended(after);
  if (!is || suspended(before)?.status === is.status) return [];
  const reason = is.status === 'True' ? 'Suspended' : 'Resumed';
  return [{ regarding: after, type: 'Normal', reason, message: is.message ?? '' }];
}

function finishEvents(job: Job, { type, reason = '', message = '' }: JobCondition): EventToRecord[] {
  if (type === 'Failed') return [{ regarding: job, type: 'Warning', reason, message }];
  const tooMany: EventToRecord = {
    regarding: job,
    type: 'Warning',
    reason: 'TooManySucceededPods',
    message: 'Too many succeeded pods running after completion count reached',
  };
  const hasTooMany = (job.status?.succeeded ?? 0) > (job.spec?.completions ?? Number.POSITIVE_INFINITY);
  return [
    ...(hasTooMany ? [tooMany] : []),
    { regarding: job, type: 'Normal', reason: 'Completed', message: 'Job completed' },
  ];
}

function reasonsOf({ final }: Tracking, released: number, { terminating = 0, conditions = [] }: JobStatus): Reason[] {
  const isOver = conditions.some(({ type, status }) => type === final?.type && status === 'True');
  return [
    ...(released > 0 ? [{ reason: 'podsCounted', pods: released } as const] : []),
    ...(final && isOver ? [{ reason: 'jobHasEnded', condition: final.type } as const] : []),
    ...(final && !isOver ? [{ reason: 'jobWaitsForPods', condition: final.type, terminating } as const] : []),
  ];
}
