import type { CronJob, Job } from '../../objects/kinds.ts';
import { finishedCondition } from '../job/jobState.ts';

/** Returns the ended Jobs that are more than the CronJob keeps, the oldest of each kind: Kubernetes' `cleanupFinishedJobs`. Jobs that are being deleted are not counted. Pure. */
export function decideHistory({ spec }: CronJob, jobs: readonly Job[]): readonly Job[] {
  const ended = (type: string) =>
    jobs.filter((job) => finishedCondition(job)?.type === type && job.metadata.deletionTimestamp === undefined);
  return [
    ...oldestBeyond(ended('Complete'), spec?.successfulJobsHistoryLimit),
    ...oldestBeyond(ended('Failed'), spec?.failedJobsHistoryLimit),
  ];
}

function oldestBeyond(jobs: readonly Job[], limit: number | undefined): readonly Job[] {
  if (limit === undefined) return [];
  return jobs.toSorted(byJobStartTime).slice(0, Math.max(0, jobs.length - limit));
}

/** Jobs that never started come last, and Jobs of the same second in the order of their names. */
function byJobStartTime(a: Job, b: Job): number {
  const rank = ({ metadata, status }: Job) => `${status?.startTime ?? '~'} ${metadata.name}`;
  return rank(a) < rank(b) ? -1 : 1;
}
