import { controllerOf } from '../../objects/KubernetesObject.ts';
import type { Job } from '../../objects/kinds.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import { finishedCondition } from '../job/jobState.ts';

/**
 * Returns the keys that a change of a CronJob or of a Job concerns, without a read: the event handlers `addJob`, `updateJob`, `deleteJob` and `updateCronJob`. A Job's change concerns its CronJob only if the Job has begun, ended or
 * gone, or has another controller. A CronJob that has changed is looked at once; Kubernetes waits for the next run of a changed schedule, which the sync does. Pure.
 */
export function keysForChange(change: Change): readonly KeyToSend[] {
  if (change.resource === 'cronjobs.batch') {
    const { namespace = '', name } = subjectOf(change).metadata;
    return [keyTo(namespace, name)];
  }
  if (change.resource !== 'jobs.batch') return [];
  const { before, after } = change as { readonly before?: Job; readonly after?: Job };
  const owners = [ownerOf(before), ownerOf(after)];
  if (owners[0] === owners[1] && stateOf(before) === stateOf(after)) return [];
  const names = new Set(owners.filter((name) => name !== undefined));
  return [...names].map((name) => keyTo(subjectOf(change).metadata.namespace ?? '', name));
}

/** The name of the CronJob that controls the Job. If another CronJob has that name by now, its sync finds nothing to do. */
function ownerOf(job: Job | undefined): string | undefined {
  const controller = job && controllerOf(job);
  return controller?.kind === 'CronJob' ? controller.name : undefined;
}

/** What a CronJob's sync looks at. */
function stateOf(job: Job | undefined): string {
  if (!job) return 'absent';
  return `${controllerOf(job)?.uid} ${job.metadata.deletionTimestamp} ${finishedCondition(job)?.type}`;
}

function keyTo(namespace: string, name: string): KeyToSend {
  return { key: { controller: 'cronjob', namespace, name } };
}
