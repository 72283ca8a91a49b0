import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import { runMsOf } from '../checks/CronRuns.ts';
import { nameOf, type World } from '../World.ts';

/** A CronJob that is suspended has no active Jobs any more, keeps no more Jobs than it may, and has noted the run of each. */
export function unfinishedCronJob(world: World): string | undefined {
  for (const cronJob of world.cronJobs()) {
    const { spec, status = {}, metadata } = cronJob;
    if (status.active) return `${nameOf(cronJob)} has active jobs, and none runs: ${JSON.stringify(status.active)}`;
    const jobs = world.jobs().filter((job) => controllerOf(job)?.uid === metadata.uid);
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
