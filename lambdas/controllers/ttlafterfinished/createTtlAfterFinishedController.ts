import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Job } from '../../objects/kinds.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import { finishedCondition } from '../job/jobState.ts';
import { reportDone } from '../reportDone.ts';

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

/** Deletes the Job as it was read, in the foreground, or waits until its time is over: `processJob`. */
async function syncTtl({ namespace, name }: WorkKey, { registry, nowMs }: SyncContext): Promise<SyncReport> {
  const key = { resource: JOBS, namespace, name };
  const job = await registry.get<Job>(key);
  if (!job || !isNeeded(job)) return reportDone({ reason: 'jobStays' });
  const delayMs = expiresAtMs(job) - nowMs;
  if (delayMs > 0)
    return { ...reportDone({ reason: 'jobExpires', delayMs }), outcome: { status: 'requeueAfter', delayMs } };
  const { uid, resourceVersion } = job.metadata;
  const options = { propagationPolicy: 'Foreground', preconditions: { uid, resourceVersion } } as const;
  const outcome = await registry.delete<Job>(key, options);
  if (outcome.status !== 'refused')
    return reportDone({ reason: 'jobHasExpired' }, [`delete ${JOBS} ${namespace}/${name}`]);
  if (outcome.error.reason === 'NotFound') return reportDone({ reason: 'jobStays' });
  if (outcome.error.reason === 'Conflict')
    return { ...reportDone({ reason: 'jobStays' }), outcome: { status: 'conflict' } };
  throw outcome.error;
}

/** Throws for a Job whose end has no time: Kubernetes' `getFinishAndExpireTime`. */
function expiresAtMs(job: Job): number {
  const finishedAtMs = Date.parse(finishedCondition(job)?.lastTransitionTime ?? '');
  const { namespace = '', name } = job.metadata;
  if (Number.isNaN(finishedAtMs)) throw new Error(`unable to find the time when the Job ${namespace}/${name} finished`);
  return finishedAtMs + (job.spec?.ttlSecondsAfterFinished ?? 0) * 1000;
}
