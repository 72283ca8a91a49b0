import type { CronJob, Job } from '../../../lambdas/objects/kinds.ts';
import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import type { SyncTrail } from '../SyncTrail.ts';
import { nameOf, type World } from '../World.ts';
import type { Check } from './Check.ts';

const SCHEDULED_TIMESTAMP = 'batch.kubernetes.io/cronjob-scheduled-timestamp';
const MINUTE_MS = 60_000;

/**
 * Each time of a CronJob's schedule has at most one Job, whatever became of that Job. A Job is created only if its sync saw a CronJob that was not suspended; with the policies Forbid and Replace none of its Jobs runs then. The
 * last time that the status names never goes back, and no Job of an earlier time is created after it. A CronJob deletes no Job but its own.
 */
export class CronRuns implements Check {
  readonly #world: World;
  /** The name of each run's Job, by the CronJob's UID and the time. */
  readonly #runs = new Map<string, string>();

  constructor(world: World) {
    this.#world = world;
  }

  onWrite({ writer, trail, change }: AuditedWrite): string | undefined {
    const { before, after } = change;
    if (change.resource === 'cronjobs.batch') return before && after && judgeStatus(before, after);
    if (change.resource !== 'jobs.batch' || writer !== 'cronjob') return undefined;
    return before ? judgeDeletion(before, trail) : (this.#judgeCreation(after, trail) ?? this.#judgeTime(after));
  }

  #judgeCreation(job: Job, trail: SyncTrail | undefined): string | undefined {
    const owner = controllerOf(job);
    const runMs = runMsOf(job);
    if (!owner || !(runMs % MINUTE_MS === 0)) return `${nameOf(job)} belongs to no run of a CronJob`;
    const run = `${owner.uid} ${runMs}`;
    const other = this.#runs.get(run);
    if (other !== undefined) return `${nameOf(job)} is the second job of a run: ${other} was the first`;
    this.#runs.set(run, nameOf(job));
    const cronJob: CronJob | undefined = trail?.subject;
    return cronJob?.metadata.uid === owner.uid ? this.#judgeStart(job, cronJob) : undefined;
  }

  /** What was requested for an earlier time was kept out before a later one was noted. */
  #judgeTime(job: Job): string | undefined {
    const cronJob: CronJob | undefined = this.#world.byUid(controllerOf(job)?.uid ?? '');
    const lastMs = Date.parse(cronJob?.status?.lastScheduleTime ?? '');
    return runMsOf(job) < lastMs
      ? `${nameOf(job)} is created late, after the run at ${cronJob?.status?.lastScheduleTime}`
      : undefined;
  }

  #judgeStart(job: Job, { metadata, spec }: CronJob): string | undefined {
    if (spec?.suspend === true) return `${nameOf(job)} was created for a CronJob that is suspended`;
    if (spec?.concurrencyPolicy === 'Allow') return undefined;
    const running = this.#world.jobs().find((one) => {
      const isOwn = controllerOf(one)?.uid === metadata.uid && one.metadata.uid !== job.metadata.uid;
      return isOwn && one.metadata.deletionTimestamp === undefined && !hasEnded(one);
    });
    return (
      running && `${nameOf(job)} was created beside ${nameOf(running)}, with the policy ${spec?.concurrencyPolicy}`
    );
  }
}

/** The time of the run that a Job belongs to, in milliseconds since the epoch; NaN if it belongs to none. */
export function runMsOf({ metadata }: Job): number {
  return Date.parse(metadata.annotations?.[SCHEDULED_TIMESTAMP] ?? '');
}

function judgeDeletion(job: Job, trail: SyncTrail | undefined): string | undefined {
  const { uid, name = 'a CronJob' } = trail?.subject?.metadata ?? {};
  return controllerOf(job)?.uid === uid ? undefined : `${name} deletes ${nameOf(job)}, which is not its own`;
}

function judgeStatus(before: CronJob, after: CronJob): string | undefined {
  const [was, is] = [before, after].map(({ status }) => Date.parse(status?.lastScheduleTime ?? ''));
  const isBack = before.metadata.uid === after.metadata.uid && Number(is) < Number(was);
  return isBack ? `the last run of ${nameOf(after)} went back to ${after.status?.lastScheduleTime}` : undefined;
}

function hasEnded({ status }: Job): boolean {
  return (
    status?.conditions?.some((one) => one.status === 'True' && (one.type === 'Complete' || one.type === 'Failed')) ===
    true
  );
}
