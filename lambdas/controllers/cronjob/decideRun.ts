import { parseCronSchedule } from '../../objects/schedules/cronSchedule.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import type { CronJob } from '../../objects/kinds.ts';
import { isTimeZone } from '../../objects/schedules/timeZones.ts';
import type { Reason } from './cronJobReasons.ts';
import { plannedJob } from './jobFromTemplate.ts';
import { timeZoneOf } from './timeZoneOf.ts';
import { mostRecentScheduleTime, nextRunMs, type ScheduleTimes, type ZonedSchedule } from './mostRecentScheduleTime.ts';
import type { Happening } from './trackJobs.ts';

/** What a CronJob's key remembers of it. Times are milliseconds since the epoch. */
export interface RunMemory {
  /** The schedule and the time zone that the last sync saw, as text. */
  readonly schedule: string;
  /** When a sync first saw them in place of others; absent if they are the first. */
  readonly sinceMs?: number;
  /** The time of the last run for which a Job was requested. */
  readonly runMs?: number;
}

/** What a run depends on. The CronJob's status says already what has become of its Jobs. */
export interface RunFacts {
  readonly cronJob: CronJob;
  /** What the CronJob's key remembers; absent before the first sync. */
  readonly memory: RunMemory | undefined;
  readonly nowMs: number;
}

/** Whether a run starts. Times are milliseconds since the epoch. */
export interface RunDecision {
  /** The run to start; absent: none. With the policy Replace, all active Jobs are deleted first. */
  readonly runMs?: number;
  /** The next time of the schedule; absent if nothing starts by itself any more. */
  readonly nextMs?: number;
  readonly happened: readonly Happening[];
  readonly why: Reason;
}

/**
 * Decides whether the CronJob starts a run now: the second half of Kubernetes' `syncCronJob`, in its order. A run that is older than the deadline is never found as due, so `MissSchedule` does not occur, as in Kubernetes. Pure.
 */
export function decideRun(facts: RunFacts): RunDecision {
  const { metadata, spec } = facts.cronJob;
  if (metadata.deletionTimestamp !== undefined) return none({ reason: 'cronJobIsBeingDeleted' });
  const timeZone = timeZoneOf(facts.cronJob);
  if (!isTimeZone(timeZone)) {
    const message = `invalid timeZone: ${goQuote(timeZone)}: unknown time zone ${timeZone}`;
    return none({ reason: 'timeZoneIsUnknown', timeZone }, warning('UnknownTimeZone', message));
  }
  if (spec?.suspend === true) return none({ reason: 'cronJobIsSuspended' });
  const text = spec?.schedule ?? '';
  const schedule = parseCronSchedule(text);
  if (schedule.type === 'invalid') {
    const message = `unparseable schedule: ${goQuote(text)} : ${schedule.error}`;
    return none({ reason: 'scheduleIsInvalid', message: schedule.error }, warning('UnparseableSchedule', message));
  }
  return decideDue(facts, { schedule, timeZone });
}

function none(why: Reason, ...happened: readonly Happening[]): RunDecision {
  return { happened, why };
}

function warning(reason: string, message: string): Happening {
  return { type: 'Warning', reason, message };
}

const TOO_CLOSE = 'time difference between two schedules is less than 1 second';
const TOO_MANY = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';

function decideDue(facts: RunFacts, zoned: ZonedSchedule): RunDecision {
  const { cronJob, nowMs } = facts;
  const times = mostRecentScheduleTime(cronJob, zoned, nowMs, true);
  if (times.status === 'never') {
    const message = `invalid schedule: ${cronJob.spec?.schedule} : ${TOO_CLOSE}`;
    return none({ reason: 'scheduleIsInvalid', message: TOO_CLOSE }, warning('InvalidSchedule', message));
  }
  const decided = judge(facts, zoned, times);
  const nextMs = nextRunMs(cronJob, zoned, nowMs);
  const missed = times.isManyMissed && decided.why.reason !== 'runIsOfOtherSchedule';
  return {
    ...decided,
    ...(nextMs !== undefined && { nextMs }),
    happened: [...(missed ? [warning('TooManyMissedTimes', TOO_MANY)] : []), ...decided.happened],
  };
}

function judge(
  { cronJob, memory, nowMs }: RunFacts,
  zoned: ZonedSchedule,
  { runMs }: Extract<ScheduleTimes, { status: 'known' }>,
): RunDecision {
  if (runMs === undefined) return none(whyNoneIsDue(cronJob, zoned, nowMs));
  const { spec, status, metadata } = cronJob;
  const active = (status?.active ?? []).map(({ name = '' }) => name);
  const { name } = plannedJob(metadata, runMs);
  if (active.includes(name) || Date.parse(status?.lastScheduleTime ?? '') === runMs)
    return none({ reason: 'runHasStarted', runMs });
  if (runMs <= sinceMs(cronJob, memory, nowMs)) return none({ reason: 'runIsOfOtherSchedule', runMs });
  const policy = spec?.concurrencyPolicy;
  if (policy === 'Forbid' && active.length > 0) {
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    return none({ reason: 'runIsForbidden', runMs, active }, { type: 'Normal', reason: 'JobAlreadyActive', message });
  }
  const replaces = policy === 'Replace' ? active : [];
  return { runMs, happened: [], why: { reason: 'runStarts', runMs, name, replaces } };
}

/** No run is due because none has come, or because the deadline of the last one is over. */
function whyNoneIsDue(cronJob: CronJob, zoned: ZonedSchedule, nowMs: number): Reason {
  const deadlineSeconds = cronJob.spec?.startingDeadlineSeconds;
  const times = mostRecentScheduleTime(cronJob, zoned, nowMs, false);
  if (deadlineSeconds === undefined || times.status === 'never' || times.runMs === undefined)
    return { reason: 'noRunIsDue' };
  return { reason: 'runIsTooLate', runMs: times.runMs, deadlineSeconds };
}

/** Since when the schedule is in force: now, if it is another one than the last sync saw. Minus infinity if there was no other. */
function sinceMs(cronJob: CronJob, memory: RunMemory | undefined, nowMs: number): number {
  if (!memory) return Number.NEGATIVE_INFINITY;
  return memory.schedule === scheduleText(cronJob) ? (memory.sinceMs ?? Number.NEGATIVE_INFINITY) : nowMs;
}

/** Returns what a CronJob's key remembers of its schedule, to notice a change. Pure. */
export function scheduleText(cronJob: CronJob): string {
  return JSON.stringify([cronJob.spec?.schedule, timeZoneOf(cronJob)]);
}

/** Returns what the key is to remember after this sync: the same object if nothing changes. Pure. */
export function remember({ cronJob, memory, nowMs }: RunFacts, runMs: number | undefined): RunMemory {
  const schedule = scheduleText(cronJob);
  const isSame = memory?.schedule === schedule;
  if (isSame && (runMs === undefined || memory.runMs === runMs)) return memory;
  const since = isSame ? memory.sinceMs : memory && nowMs;
  const run = runMs ?? memory?.runMs;
  return { schedule, ...(since !== undefined && { sinceMs: since }), ...(run !== undefined && { runMs: run }) };
}
