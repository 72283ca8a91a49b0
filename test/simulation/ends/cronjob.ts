import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Job } from '../../../lambdas/objects/kinds.ts';
import { runMsOf } from '../checks/CronRuns.ts';
import { nameOf, type World } from '../World.ts';

/**
 * A CronJob that is suspended has no active Jobs any more, keeps no more Jobs than it may, and has noted the run of each. As in Kubernetes, a Job that somebody took away from it is active for as long as
 * there is a Job of that name: the CronJob asks by name whether it has gone, and never sees one end that is not its own.
 */
export function unfinishedCronJob(world: World): string | undefined {
  for (const cronJob of world.cronJobs()) {
    const { spec, status = {}, metadata } = cronJob;
    const isOwn = (job: Job) => controllerOf(job)?.uid === metadata.uid;
    const jobs = world.jobs().filter(isOwn);
    const others = world.jobs().filter((job) => job.metadata.namespace === metadata.namespace && !isOwn(job));
    const active = status.active?.filter(({ name }) => !others.some((job) => job.metadata.name === name)) ?? [];
    if (active.length > 0) return `${nameOf(cronJob)} has active jobs, and none runs: ${JSON.stringify(active)}`;
    const kept = (type: string) =>
      jobs.filter((job) => job.status?.conditions?.some((one) => one.type === type && one.status === 'True')).length;
    const [succeeded, failed] = [kept('Complete'), kept('Failed')];
    if (succeeded > (spec?.successfulJobsHistoryLimit ?? 3) || failed > (spec?.failedJobsHistoryLimit ?? 1))
      return `${nameOf(cronJob)} keeps ${succeeded} jobs that succeeded and ${failed} that failed`;
    const lastMs = Date.parse(status.lastScheduleTime ?? '');
    const missed = jobs.find((job) => !(runMsOf(job) <= lastMs));
    if (missed) return `${nameOf(cronJob)} has not noted the run of ${nameOf(missed)}`;
  }
  return undefined;
}
