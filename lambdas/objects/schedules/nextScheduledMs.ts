import type { CronSchedule } from './cronSchedule.ts';
import { offsetMsAt } from './timeZones.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Kubernetes' library looks for a run in this and the next five years. */
const YEARS_AHEAD = 5;

/** A zone's clocks are at most this far from UTC; a little more than any is. */
const FARTHEST_ZONE_MS = 15 * HOUR_MS;

type Fields = Extract<CronSchedule, { type: 'fields' }>;

/**
 * Returns the first time of a schedule after `afterMs`, in milliseconds since the epoch; `undefined` if no day of this year and the next five has one. It is robfig/cron's `Next`: a time that the clocks of the zone leave out has no run, and
 * one that they show twice has two. `@every` counts from `afterMs` and knows no zone. Pure.
 */
export function nextScheduledMs(schedule: CronSchedule, timeZone: string, afterMs: number): number | undefined {
  if (schedule.type === 'every') return Math.floor(afterMs / 1_000) * 1_000 + schedule.delayMs;
  const today = Math.floor((afterMs + offsetMsAt(timeZone, afterMs)) / DAY_MS) * DAY_MS;
  const lastYear = new Date(today).getUTCFullYear() + YEARS_AHEAD;
  // Clocks that are set back over midnight show a part of the day before again.
  let day = today - DAY_MS;
  while (new Date(day).getUTCFullYear() <= lastYear) {
    const date = new Date(day);
    if (!schedule.months.includes(date.getUTCMonth() + 1)) {
      day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
      continue;
    }
    const found = fitsDay(schedule, date) ? firstOfDay(schedule, timeZone, day, afterMs) : undefined;
    if (found !== undefined) return found;
    day += DAY_MS;
  }
  return undefined;
}

/** If one of the two fields of days is a star, the other decides. If none is, one of them is enough. */
function fitsDay({ daysOfMonth, daysOfWeek, needsBothDays }: Fields, date: Date): boolean {
  const inMonth = daysOfMonth.includes(date.getUTCDate());
  const inWeek = daysOfWeek.includes(date.getUTCDay());
  return needsBothDays ? inMonth && inWeek : inMonth || inWeek;
}

/** Returns the first time after `afterMs` whose local time fits and is on this day. `day` is its local midnight as if that were UTC. */
function firstOfDay(schedule: Fields, timeZone: string, day: number, afterMs: number): number | undefined {
  const [before, after] = [day - FARTHEST_ZONE_MS, day + DAY_MS + FARTHEST_ZONE_MS];
  const offsets = new Set([offsetMsAt(timeZone, before), offsetMsAt(timeZone, after)]);
  // When the clocks are changed, a local time is the one or the other offset's, both's or neither's.
  const isReal = (atMs: number, offsetMs: number) => offsets.size === 1 || offsetMsAt(timeZone, atMs) === offsetMs;
  const times = [...offsets]
    .map((offsetMs) => firstOf(schedule, day - offsetMs, afterMs, (atMs) => isReal(atMs, offsetMs)))
    .filter((atMs) => atMs !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

function firstOf(
  { hours, minutes }: Fields,
  midnightMs: number,
  afterMs: number,
  isReal: (atMs: number) => boolean,
): number | undefined {
  for (const hour of hours) {
    const hourMs = midnightMs + hour * HOUR_MS;
    if (hourMs + HOUR_MS <= afterMs) continue;
    const minute = minutes.find((one) => hourMs + one * MINUTE_MS > afterMs && isReal(hourMs + one * MINUTE_MS));
    if (minute !== undefined) return hourMs + minute * MINUTE_MS;
  }
  return undefined;
}
