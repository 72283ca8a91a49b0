import type { CronJobStatus } from 'kubernetes-types/batch/v1.js';
import type { ObjectReference } from 'kubernetes-types/core/v1.js';
import type { CronJob, Job } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';
import { finishedCondition, trueCondition } from '../job/jobState.ts';
import { plannedJob, SCHEDULED_TIMESTAMP } from './jobFromTemplate.ts';

/** What happened to a CronJob or to one of its Jobs, for an event. */
export interface Happening {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** What a CronJob's status depends on. */
export interface JobFacts {
  readonly cronJob: CronJob;
  /** The Jobs that it controls. */
  readonly jobs: readonly Job[];
  /** The UIDs of Jobs in its status that exist, although it does not control them. */
  readonly others: ReadonlySet<string>;
}

export interface TrackedJobs {
  readonly status: CronJobStatus;
  readonly happened: readonly Happening[];
}

/**
 * Returns the status after what has become of the Jobs: the first half of Kubernetes' `syncCronJob`. Active Jobs that have ended or are gone leave the list, and the last success is noted. A Job that an earlier sync created,
 * and whose status write it did not get to, is noted now. Kubernetes does that when it meets its name, unless the next run is due by then. Pure.
 */
export function trackJobs(facts: JobFacts): TrackedJobs {
  const { cronJob, jobs } = facts;
  const before = withForgotten(cronJob, jobs);
  const known = new Set((before.active ?? []).map(({ uid }) => uid));
  const left = (before.active ?? []).map((ref) => whatBecame(ref, facts));
  const active = left.flatMap(({ ref }) => (ref ? [ref] : []));
  const lastSuccessfulTime = latest([before.lastSuccessfulTime, ...jobs.map(successTime)]);
  const { active: _, ...rest } = before;
  return {
    status: {
      ...(active.length > 0 && { active }),
      ...rest,
      ...(lastSuccessfulTime !== undefined && { lastSuccessfulTime }),
    },
    happened: [
      ...jobs.filter((job) => !known.has(job.metadata.uid) && !finishedCondition(job)).map(unexpected),
      ...left.flatMap(({ happened }) => (happened ? [happened] : [])),
    ],
  };
}

/** Returns the reference under which a Job is in the list of active ones. Pure. */
export function referenceTo({ metadata }: Job): ObjectReference {
  const { namespace = '', name, uid, resourceVersion } = metadata;
  return { apiVersion: 'batch/v1', kind: 'Job', namespace, name, uid, resourceVersion };
}

/** Adds the Jobs of runs later than the last one that the status knows: only a sync of this CronJob can have created them. */
function withForgotten(cronJob: CronJob, jobs: readonly Job[]): CronJobStatus {
  const status = cronJob.status ?? {};
  const lastMs = Date.parse(status.lastScheduleTime ?? '');
  const forgotten = jobs.flatMap((job) => {
    const runMs = plannedRunMs(cronJob, job);
    return runMs === undefined || runMs <= lastMs ? [] : [{ job, runMs }];
  });
  if (forgotten.length === 0) return status;
  const active = [...(status.active ?? []), ...forgotten.map(({ job }) => referenceTo(job))];
  const runMs = Math.max(...forgotten.map((one) => one.runMs));
  return { ...status, active, lastScheduleTime: formatTime(runMs) };
}

/** Returns the time of the run for which a sync of this CronJob created the Job, in milliseconds since the epoch; `undefined` for other Jobs, such as those made by hand. */
function plannedRunMs({ metadata: owner }: CronJob, { metadata }: Job): number | undefined {
  const runMs = Date.parse(metadata.annotations?.[SCHEDULED_TIMESTAMP] ?? '');
  return plannedJob(owner, runMs).uid === metadata.uid ? runMs : undefined;
}

function whatBecame(
  ref: ObjectReference,
  { jobs, others }: JobFacts,
): { readonly ref?: ObjectReference; readonly happened?: Happening } {
  const job = jobs.find(({ metadata }) => metadata.uid === ref.uid);
  if (!job) {
    if (others.has(ref.uid ?? '')) return { ref };
    return { happened: { type: 'Normal', reason: 'MissingJob', message: `Active job went missing: ${ref.name}` } };
  }
  const finished = finishedCondition(job);
  if (!finished) return { ref };
  const message = `Saw completed job: ${ref.name}, condition: ${finished.type}`;
  return { happened: { type: 'Normal', reason: 'SawCompletedJob', message } };
}

function unexpected({ metadata }: Job): Happening {
  const message = `Saw a job that the controller did not create or forgot: ${metadata.name}`;
  return { type: 'Warning', reason: 'UnexpectedJob', message };
}

function successTime(job: Job): string | undefined {
  return trueCondition(job, 'Complete') ? job.status?.completionTime : undefined;
}

/** Times in UTC with whole seconds are ordered as their texts. */
function latest(times: readonly (string | undefined)[]): string | undefined {
  return times
    .filter((time) => time !== undefined)
    .sort()
    .at(-1);
}
