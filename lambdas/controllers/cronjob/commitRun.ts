import type { CronJobStatus } from 'kubernetes-types/batch/v1.js';
import type { ApiError } from '../../objects/ApiError.ts';
import { controllerOf } from '../../objects/KubernetesObject.ts';
import type { CronJob, Job } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import type { Reason } from './cronJobReasons.ts';
import { jobFromTemplate } from './jobFromTemplate.ts';
import { type Happening, referenceTo } from './trackJobs.ts';

/** What a step has written, and what the CronJob's status is to say after it. The status is written once, after all steps: so a step hands it on, and is not added up with others as `Committed` is. */
export interface RunStep {
  readonly status: CronJobStatus;
  readonly happened: readonly Happening[];
  readonly writes: readonly string[];
  /** What went otherwise than planned. */
  readonly why: readonly Reason[];
  /** Why the key is to be tried again. The status is written all the same. */
  readonly failure?: Error;
}

/** Deletes ended Jobs with their pods: Kubernetes' `removeOldestJobs`. One that cannot be deleted is tried again with the next sync. */
export async function commitHistory(
  registry: GuardedRegistry,
  cronJob: CronJob,
  jobs: readonly Job[],
  status: CronJobStatus,
): Promise<RunStep> {
  const deleted = await Promise.all(jobs.map(({ metadata }) => deleteJob(registry, cronJob, metadata)));
  return {
    status,
    happened: deleted.flatMap(({ happened }) => happened),
    writes: deleted.flatMap(({ writes }) => writes),
    why: [],
  };
}

/** Deletes the Jobs that the run replaces, then creates its Job and notes it in the status. `status` is the one before. */
export async function commitRun(
  registry: GuardedRegistry,
  cronJob: CronJob,
  runMs: number,
  status: CronJobStatus,
): Promise<RunStep> {
  const replaced = await replaceActive(registry, cronJob, status);
  if (replaced.failure) return replaced;
  const created = await createJob(registry, cronJob, runMs, replaced.status);
  return {
    ...created,
    happened: [...replaced.happened, ...created.happened],
    writes: [...replaced.writes, ...created.writes],
  };
}

async function replaceActive(registry: GuardedRegistry, cronJob: CronJob, status: CronJobStatus): Promise<RunStep> {
  const { metadata, spec } = cronJob;
  const active = spec?.concurrencyPolicy === 'Replace' ? (status.active ?? []) : [];
  const { namespace = '' } = metadata;
  const deleted = await Promise.all(
    active.map(({ name = '', uid = '' }) => deleteJob(registry, cronJob, { name, uid })),
  );
  const kept = (status.active ?? []).filter((_, nth) => deleted[nth]?.isGone !== true);
  const failed = active.find((_, nth) => deleted[nth]?.isGone === false);
  const { active: _, ...rest } = status;
  return {
    status: { ...(kept.length > 0 && { active: kept }), ...rest },
    happened: deleted.flatMap(({ happened }) => happened),
    writes: deleted.flatMap(({ writes }) => writes),
    why: [],
    ...(failed && { failure: new Error(`could not replace job ${namespace}/${failed.name}`) }),
  };
}

interface Deleted {
  readonly isGone: boolean;
  readonly happened: readonly Happening[];
  readonly writes: readonly string[];
}

/**
 * Deletes the Job with that UID, as long as the CronJob controls it: the request may stall while the CronJob is deleted and its Jobs are orphaned, which are to stay then. One that is gone, or has
 * become somebody else's, is as good as deleted.
 */
async function deleteJob(
  registry: GuardedRegistry,
  { metadata: owner }: CronJob,
  { name, uid }: { readonly name: string; readonly uid: string },
): Promise<Deleted> {
  const { namespace = '' } = owner;
  const options = {
    propagationPolicy: 'Background',
    preconditions: { uid },
    onlyIfControlledBy: owner.uid,
  } as const;
  const outcome = await registry.delete<Job>({ resource: 'jobs.batch', namespace, name }, options);
  if (outcome.status !== 'refused')
    return {
      isGone: true,
      happened: [{ type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted job ${name}` }],
      writes: [`delete jobs.batch ${namespace}/${name}`],
    };
  if (isAbsent(outcome.error)) return { isGone: true, happened: [], writes: [] };
  const message = `Deleted job: ${outcome.error.message}`;
  return { isGone: false, happened: [{ type: 'Warning', reason: 'FailedDelete', message }], writes: [] };
}

/** The Job is gone, another one has its name, or it is not the CronJob's any more. */
function isAbsent({ reason }: ApiError): boolean {
  return reason === 'NotFound' || reason === 'Conflict';
}

async function createJob(
  registry: GuardedRegistry,
  cronJob: CronJob,
  runMs: number,
  status: CronJobStatus,
): Promise<RunStep> {
  const job = jobFromTemplate(cronJob, runMs);
  const { namespace = '', name = '' } = job.metadata;
  const outcome = await registry.create<Job>('jobs.batch', job);
  if (outcome.status === 'stored')
    return {
      status: started(status, runMs, outcome.object),
      happened: [{ type: 'Normal', reason: 'SuccessfulCreate', message: `Created job ${name}` }],
      writes: [`create jobs.batch ${namespace}/${name}`],
      why: [],
    };
  const nothing = { status, happened: [], writes: [], why: [] };
  if (outcome.error.reason === 'AlreadyExists') {
    const current = await registry.get<Job>({ resource: 'jobs.batch', namespace, name });
    if (current && controllerOf(current)?.uid !== cronJob.metadata.uid)
      return { ...nothing, why: [{ reason: 'runNameIsTaken', name }] };
    return { ...nothing, status: started(status, runMs, current) };
  }
  if (isNamespaceTerminating(outcome.error)) return { ...nothing, failure: outcome.error };
  const message = `Error creating job: ${outcome.error.message}`;
  return {
    ...nothing,
    happened: [{ type: 'Warning', reason: 'FailedCreate', message }],
    failure: outcome.error,
  };
}

/** Notes the run. Without a Job it has been started before, and its Job is gone already. */
function started(status: CronJobStatus, runMs: number, job: Job | undefined): CronJobStatus {
  const known = status.active ?? [];
  const isNew = job !== undefined && !known.some(({ uid }) => uid === job.metadata.uid);
  const active = isNew ? [...known, referenceTo(job)] : known;
  return { ...status, ...(active.length > 0 && { active }), lastScheduleTime: formatTime(runMs) };
}

function isNamespaceTerminating({ details }: ApiError): boolean {
  return details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
}
