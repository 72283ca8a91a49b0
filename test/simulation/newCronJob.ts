import type { NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { ClientOp } from './ClientOp.ts';
import { newJobTemplate } from './newJobTemplate.ts';

/** Returns the CronJob that a script's `createCronJob` sends: of a run a minute. The pods of its Jobs have the target's label `app`. */
export function newCronJob(op: Extract<ClientOp, { op: 'createCronJob' }>): NewObject {
  const { target, policy, history, suspended, habits } = op;
  const labels = { app: target.app };
  const template = newJobTemplate(target, habits);
  const spec = {
    schedule: '* * * * *',
    concurrencyPolicy: policy,
    suspend: suspended,
    successfulJobsHistoryLimit: history[0],
    failedJobsHistoryLimit: history[1],
    jobTemplate: { metadata: { labels }, spec: { backoffLimit: 1, template } },
  };
  const { namespace, name } = target;
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { namespace, name, labels }, spec };
}
