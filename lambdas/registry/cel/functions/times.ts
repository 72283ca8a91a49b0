import { offsetMsAt } from '../../../objects/schedules/timeZones.ts';
import { CelError, type CelDuration, type CelResult, type CelTimestamp } from '../evaluate/CelValue.ts';
import { floorDivide } from './conversion.ts';
import { type Overload, overload } from './Overload.ts';

const NANOS_PER_MS = 1_000_000n;

/** What is read from a date in UTC whose fields show the local time. */
const PARTS: readonly (readonly [name: string, id: string, read: (date: Date) => number])[] = [
  ['getFullYear', 'year', (date) => date.getUTCFullYear()],
  ['getMonth', 'month', (date) => date.getUTCMonth()],
  ['getDayOfYear', 'day_of_year', dayOfYear],
  ['getDayOfMonth', 'day_of_month', (date) => date.getUTCDate() - 1],
  ['getDate', 'day_of_month_1_based', (date) => date.getUTCDate()],
  ['getDayOfWeek', 'day_of_week', (date) => date.getUTCDay()],
  ['getHours', 'hours', (date) => date.getUTCHours()],
  ['getMinutes', 'minutes', (date) => date.getUTCMinutes()],
  ['getSeconds', 'seconds', (date) => date.getUTCSeconds()],
  ['getMilliseconds', 'milliseconds', (date) => date.getUTCMilliseconds()],
];

const UNITS: readonly (readonly [name: string, id: string, nanos: bigint])[] = [
  ['getHours', 'hours', 3_600_000_000_000n],
  ['getMinutes', 'minutes', 60_000_000_000n],
  ['getSeconds', 'seconds', 1_000_000_000n],
  ['getMilliseconds', 'milliseconds', NANOS_PER_MS],
];

/** The parts of times, in UTC or in a named zone, and the lengths of durations in a unit. */
export const TIMES: readonly Overload[] = [
  ...PARTS.flatMap(([name, id, read]) => [
    overload(`timestamp_to_${id}`, name, 'timestamp.() int', (time: CelTimestamp) => BigInt(read(utcDate(time)))),
    overload(`timestamp_to_${id}_with_tz`, name, 'timestamp.(string) int', (time: CelTimestamp, zone: string) =>
      partIn(time, zone, read),
    ),
  ]),
  ...UNITS.map(([name, id, nanos]) =>
    overload(`duration_to_${id}`, name, 'duration.() int', (span: CelDuration) =>
      id === 'milliseconds' ? (span.nanos / nanos) % 1_000n : span.nanos / nanos,
    ),
  ),
];

function utcDate({ nanos }: CelTimestamp, offsetMs = 0): Date {
  return new Date(Number(floorDivide(nanos, NANOS_PER_MS)) + offsetMs);
}

function dayOfYear(date: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - start.getTime()) / 86_400_000);
}

function partIn(time: CelTimestamp, zone: string, read: (date: Date) => number): CelResult {
  const offsetMs = offsetOf(time, zone);
  return typeof offsetMs === 'number' ? BigInt(read(utcDate(time, offsetMs))) : offsetMs;
}

/** How far a zone, `America/New_York` or `-05:30`, is ahead of UTC at a time. */
function offsetOf(time: CelTimestamp, zone: string): number | CelError {
  const [, sign = '', hours = '', minutes = ''] = /^([+-]?)(\d{2}):(\d{2})$/.exec(zone) ?? [];
  if (hours !== '') return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  if (zone === '' || zone === 'UTC') return 0;
  try {
    return offsetMsAt(zone, utcDate(time).getTime());
  } catch {
    return new CelError(`unknown time zone ${zone}`);
  }
}
