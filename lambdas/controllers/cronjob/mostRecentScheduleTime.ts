import type { CronSchedule } from '../../objects/schedules/cronSchedule.ts';
import { nextScheduledMs } from '../../objects/schedules/nextScheduledMs.ts';
import type { CronJob } from '../../objects/kinds.ts';

/** A schedule in a time zone. */
export interface ZonedSchedule {
  readonly schedule: CronSchedule;
  readonly timeZone: string;
}

/** Which of a CronJob's runs was due last. Times are milliseconds since the epoch. */
export type ScheduleTimes =
  /** `runMs`: the last time of the schedule that has passed and has had no run; absent if every time has had its run. */
  | { readonly status: 'known'; readonly earliestMs: number; readonly runMs?: number; readonly isManyMissed: boolean }
  /** The schedule has no time in years, such as 31 February. */
  | { readonly status: 'never' };

/** Above this number Kubernetes says that runs were missed. */
const MANY_MISSED = 100;
const SHORTEST_SPAN_MS = 120_000;

/**
 * Returns the CronJob's last due time since its last run or, before the first, since its creation: Kubernetes' function of this name. With `withDeadline` no time before `startingDeadlineSeconds` counts.
 *
 * How many runs were missed is estimated as Kubernetes does, from the distance of the first two: a schedule of working hours misses `many` over a weekend. Kubernetes also looks for the last due time from that estimate, and
 * finds none if it is too high; here it is exact. Pure.
 */
export function mostRecentScheduleTime(
  cronJob: CronJob,
  { schedule, timeZone }: ZonedSchedule,
  nowMs: number,
  withDeadline: boolean,
): ScheduleTimes {
  const earliestMs = earliest(cronJob, nowMs, withDeadline);
  const firstMs = nextScheduledMs(schedule, timeZone, earliestMs);
  if (firstMs === undefined) return { status: 'never' };
  if (nowMs < firstMs) return { status: 'known', earliestMs, isManyMissed: false };
  const secondMs = nextScheduledMs(schedule, timeZone, firstMs);
  if (secondMs === undefined || nowMs < secondMs)
    return { status: 'known', earliestMs, runMs: firstMs, isManyMissed: false };
  const missed = Math.floor((nowMs - firstMs) / (secondMs - firstMs)) + 1;
  const runMs = latestScheduledMs({ schedule, timeZone }, firstMs, nowMs);
  return { status: 'known', earliestMs, runMs, isManyMissed: missed > MANY_MISSED };
}

function earliest({ metadata, spec, status }: CronJob, nowMs: number, withDeadline: boolean): number {
  const sinceMs = Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp);
  const seconds = withDeadline ? spec?.startingDeadlineSeconds : undefined;
  return seconds === undefined ? sinceMs : Math.max(sinceMs, nowMs - seconds * 1_000);
}

/** Returns the last time of the schedule that is not after `nowMs`. `firstMs` is one of them. It is looked for in spans that double, so that the work does not grow with the number of times. */
function latestScheduledMs({ schedule, timeZone }: ZonedSchedule, firstMs: number, nowMs: number): number {
  if (schedule.type === 'every') return firstMs + Math.floor((nowMs - firstMs) / schedule.delayMs) * schedule.delayMs;
  for (let spanMs = SHORTEST_SPAN_MS; nowMs - spanMs > firstMs; spanMs *= 2) {
    const found = lastAfter({ schedule, timeZone }, nowMs - spanMs, nowMs);
    if (found !== undefined) return found;
  }
  return lastAfter({ schedule, timeZone }, firstMs, nowMs) ?? firstMs;
}

function lastAfter({ schedule, timeZone }: ZonedSchedule, afterMs: number, nowMs: number): number | undefined {
  let last: number | undefined;
  for (let at = nextScheduledMs(schedule, timeZone, afterMs); at !== undefined && at <= nowMs; ) {
    last = at;
    at = nextScheduledMs(schedule, timeZone, at);
  }
  return last;
}

/** Returns the first time of the schedule after `nowMs`: `nextScheduleTimeDuration`, without its margin. `@every` counts from the last run. Pure. */
export function nextRunMs(cronJob: CronJob, zoned: ZonedSchedule, nowMs: number): number | undefined {
  const times = mostRecentScheduleTime(cronJob, zoned, nowMs, false);
  if (times.status === 'never') return undefined;
  return nextScheduledMs(zoned.schedule, zoned.timeZone, times.runMs ?? times.earliestMs);
}
