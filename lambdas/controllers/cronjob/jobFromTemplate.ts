import type { NewObject } from '../../objects/KubernetesObject.ts';
import type { CronJob } from '../../objects/kinds.ts';
import { offsetMsAt } from '../../objects/schedules/timeZones.ts';
import { controllerReference } from '../claim/controllerReference.ts';
import { plannedUid } from '../replicaset/plannedPods.ts';
import { timeZoneOf } from './timeZoneOf.ts';

/** Names the time of a Job's run, in the time zone of its CronJob. */
export const SCHEDULED_TIMESTAMP = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

const MINUTE_MS = 60_000;

/** What identifies the Job of a run. */
export interface PlannedJob {
  readonly name: string;
  readonly uid: string;
}

/**
 * Returns the name and the UID of the Job that belongs to a run: Kubernetes' `getJobName` with the minutes since the epoch. Kubernetes' Jobs get any UID. With this one the store refuses a second create even if the first Job
 * is gone by then: every sync computes the same, for ever. Pure.
 */
export function plannedJob(owner: { readonly name: string; readonly uid: string }, runMs: number): PlannedJob {
  const minutes = Math.floor(runMs / MINUTE_MS);
  return { name: `${owner.name}-${minutes}`, uid: plannedUid(owner.uid, minutes) };
}

/** Returns the Job of a run: `getJobFromTemplate2`. Pure. */
export function jobFromTemplate(cronJob: CronJob, runMs: number): NewObject {
  const { metadata, spec } = cronJob;
  const { metadata: template = {}, spec: jobSpec } = spec?.jobTemplate ?? {};
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      ...plannedJob(metadata, runMs),
      namespace: metadata.namespace ?? '',
      ...(template.labels && { labels: template.labels }),
      annotations: { ...template.annotations, [SCHEDULED_TIMESTAMP]: timeIn(timeZoneOf(cronJob), runMs) },
      ownerReferences: [controllerReference(cronJob)],
    },
    spec: jobSpec,
  };
}

/** The time in RFC 3339, with the zone's offset from UTC. An offset of zero is written as `Z`. */
function timeIn(timeZone: string, atMs: number): string {
  const minutes = Math.round(offsetMsAt(timeZone, atMs) / MINUTE_MS);
  const local = new Date(atMs + minutes * MINUTE_MS).toISOString().slice(0, 19);
  if (minutes === 0) return `${local}Z`;
  const two = (number: number) => String(number).padStart(2, '0');
  const distance = Math.abs(minutes);
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.floor(distance / 60))}:${two(distance % 60)}`;
}
