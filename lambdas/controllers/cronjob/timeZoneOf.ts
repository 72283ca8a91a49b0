import type { CronJob } from '../../objects/kinds.ts';

/** Returns the time zone of the CronJob's schedule. A CronJob that names no zone has UTC. In Kubernetes it has that of the controller manager, whose image knows only UTC. Pure. */
export function timeZoneOf({ spec }: CronJob): string {
  return spec?.timeZone ?? 'UTC';
}
