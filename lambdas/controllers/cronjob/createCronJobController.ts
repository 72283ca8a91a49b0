import type { Controller, SyncContext } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import { keysForChange } from './keysForChange.ts';
import { CRON_JOBS, syncCronJob } from './syncCronJob.ts';

/** Kubernetes' CronJob controller. `events` is the recorder of `cronjob-controller`. A key that fails is retried for ever. */
export function createCronJobController(events: EventRecorder): Controller<SyncContext> {
  return {
    name: 'cronjob',
    resources: [CRON_JOBS],
    watches: [CRON_JOBS, 'jobs.batch'],
    keysFor: keysForChange,
    keysToResync: ({ metadata: { namespace = '', name } }) => [{ controller: 'cronjob', namespace, name }],
    sync: (key, context) => syncCronJob(events, key, context),
  };
}
