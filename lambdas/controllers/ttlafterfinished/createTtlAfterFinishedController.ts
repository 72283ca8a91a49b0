import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Job } from '../../objects/kinds.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import { deleteWhenExpired } from '../deleteWhenExpired.ts';
import { finishedCondition } from '../job/jobState.ts';
import { reportDone } from './timeToLiveReasons.ts';

const JOBS = 'jobs.batch';

/** Kubernetes' controller of this name: deletes a Job, with its pods, `ttlSecondsAfterFinished` after its end. */
export function createTtlAfterFinishedController(): Controller<SyncContext> {
  return {
    name: 'ttlafterfinished',
    resources: [JOBS],
    watches: [JOBS],
    keysFor: (change: Change) => (change.type === 'DELETED' ? [] : keysOf(subjectOf(change)).map((key) => ({ key }))),
    keysToResync: keysOf,
    sync: syncTtl,
  };
}

/** Only a Job that has ended and has a time to live needs anything. */
function keysOf(job: KubernetesObject): readonly WorkKey[] {
  const { namespace = '', name } = job.metadata;
  return isNeeded(job) ? [{ controller: 'ttlafterfinished', namespace, name }] : [];
}

function isNeeded(job: Job): boolean {
  const hasTtl = job.spec?.ttlSecondsAfterFinished !== undefined;
  return hasTtl && job.metadata.deletionTimestamp === undefined && finishedCondition(job) !== undefined;
}

/** Deletes the Job in the foreground, or waits until its time is over: `processJob`. */
async function syncTtl({ namespace, name }: WorkKey, context: SyncContext): Promise<SyncReport> {
  const place = { resource: JOBS, namespace, name };
  const job = await context.registry.get<Job>(place);
  if (!job || !isNeeded(job)) return reportDone({ reason: 'jobStays' });
  return await deleteWhenExpired(context, place, job, {
    delayMs: expiresAtMs(job) - context.nowMs,
    propagationPolicy: 'Foreground',
    stays: reportDone({ reason: 'jobStays' }),
    expired: reportDone({ reason: 'jobHasExpired' }),
  });
}

/** Throws for a Job whose end has no time: Kubernetes' `getFinishAndExpireTime`. */
function expiresAtMs(job: Job): number {
  const finishedAtMs = Date.parse(finishedCondition(job)?.lastTransitionTime ?? '');
  const { namespace = '', name } = job.metadata;
  if (Number.isNaN(finishedAtMs)) throw new Error(`unable to find the time when the Job ${namespace}/${name} finished`);
  return finishedAtMs + (job.spec?.ttlSecondsAfterFinished ?? 0) * 1000;
}
