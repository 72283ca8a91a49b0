import { goDurationError, parseGoDuration } from '../go/goDuration.ts';
import { goQuote } from '../go/goQuote.ts';

/** When a CronJob runs. */
export type CronSchedule =
  /** At the minutes whose local time fits each of the fields. The numbers of a field ascend. */
  | {
      readonly type: 'fields';
      readonly minutes: readonly number[];
      readonly hours: readonly number[];
      readonly daysOfMonth: readonly number[];
      /** 1 to 12. */
      readonly months: readonly number[];
      /** 0 is Sunday. */
      readonly daysOfWeek: readonly number[];
      /** Whether a day must fit both fields of days; otherwise one of them is enough. */
      readonly needsBothDays: boolean;
    }
  /** So many milliseconds after the run before. */
  | { readonly type: 'every'; readonly delayMs: number };

/** Why a text is no schedule, in the words of the Go library that Kubernetes parses schedules with. */
export interface InvalidSchedule {
  readonly type: 'invalid';
  readonly error: string;
}

/** A field of a schedule: the range of its numbers, and the names that stand for them. */
interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

/** What a field allows. `isStar`: all of its numbers, and said so by `*` or `?`. */
interface Field {
  readonly numbers: readonly number[];
  readonly isStar: boolean;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Minute, hour, day of the month, month, day of the week. */
const FIELDS: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];

const DESCRIPTORS: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);
const EVERY = '@every ';
const SHORTEST_DELAY_MS = 1_000;

/** The text is no schedule. `message` is that of the Go library. */
class ScheduleError extends Error {}

/**
 * Parses a schedule as `ParseStandard` of robfig/cron v3, which Kubernetes uses: five fields, a descriptor such as `@hourly`, or `@every 1h30m`. A prefix `TZ=` is not parsed, since a CronJob may not have it. Pure.
 */
export function parseCronSchedule(schedule: string): CronSchedule | InvalidSchedule {
  try {
    if (schedule === '') throw new ScheduleError('empty spec string');
    return schedule.startsWith('@') ? parseDescriptor(schedule) : parseFields(schedule);
  } catch (error) {
    if (error instanceof ScheduleError) return { type: 'invalid', error: error.message };
    throw error;
  }
}

function parseDescriptor(descriptor: string): CronSchedule {
  const fields = DESCRIPTORS.get(descriptor);
  if (fields !== undefined) return parseFields(fields);
  if (!descriptor.startsWith(EVERY)) throw new ScheduleError(`unrecognized descriptor: ${descriptor}`);
  const duration = descriptor.slice(EVERY.length);
  const nanos = parseGoDuration(duration);
  if (nanos === undefined)
    throw new ScheduleError(`failed to parse duration ${descriptor}: ${goDurationError(duration)}`);
  const seconds = Number(nanos / 1_000_000_000n);
  return { type: 'every', delayMs: Math.max(SHORTEST_DELAY_MS, seconds * 1_000) };
}

function parseFields(schedule: string): CronSchedule {
  const texts = schedule.trim().split(/\s+/).filter(Boolean);
  if (texts.length !== FIELDS.length)
    throw new ScheduleError(`expected exactly ${FIELDS.length} fields, found ${texts.length}: [${texts.join(' ')}]`);
  const [minutes, hours, daysOfMonth, months, daysOfWeek] = FIELDS.map((bounds, nth) =>
    parseField(texts[nth] ?? '', bounds),
  ) as [Field, Field, Field, Field, Field];
  return {
    type: 'fields',
    minutes: minutes.numbers,
    hours: hours.numbers,
    daysOfMonth: daysOfMonth.numbers,
    months: months.numbers,
    daysOfWeek: daysOfWeek.numbers,
    needsBothDays: daysOfMonth.isStar || daysOfWeek.isStar,
  };
}

/** Parses ranges with commas between them. A range without text is skipped, so a field of commas allows nothing. */
function parseField(text: string, bounds: Bounds): Field {
  const ranges = text
    .split(',')
    .filter(Boolean)
    .map((range) => parseRange(range, bounds));
  const numbers = new Set(ranges.flatMap((range) => range.numbers));
  return { numbers: [...numbers].sort((a, b) => a - b), isStar: ranges.some(({ isStar }) => isStar) };
}

/** Parses a star, a number or a range, with an optional step behind a slash. What stands behind `*-` is ignored, and a star with a step above 1 is no star. */
function parseRange(expression: string, bounds: Bounds): Field {
  const [range = '', stepText, ...moreSteps] = expression.split('/');
  const [low = '', high, ...moreBounds] = range.split('-');
  const isStar = low === '*' || low === '?';
  if (!isStar && moreBounds.length > 0) throw new ScheduleError(`too many hyphens: ${expression}`);
  const start = isStar ? bounds.min : parseNumber(low, bounds);
  const given = isStar || high === undefined ? undefined : parseNumber(high, bounds);
  if (moreSteps.length > 0) throw new ScheduleError(`too many slashes: ${expression}`);
  const step = stepText === undefined ? 1 : parseNumber(stepText, { min: 0, max: 0 });
  const end = given ?? (isStar || stepText !== undefined ? bounds.max : start);
  checkRange({ start, end, step, expression }, bounds);
  const length = Math.floor((end - start) / step) + 1;
  return { numbers: Array.from({ length }, (_, nth) => start + nth * step), isStar: isStar && step === 1 };
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly expression: string;
}

function checkRange({ start, end, step, expression }: Range, { min, max }: Bounds): void {
  if (start < min) throw new ScheduleError(`beginning of range (${start}) below minimum (${min}): ${expression}`);
  if (end > max) throw new ScheduleError(`end of range (${end}) above maximum (${max}): ${expression}`);
  if (start > end) throw new ScheduleError(`beginning of range (${start}) beyond end of range (${end}): ${expression}`);
  if (step === 0) throw new ScheduleError(`step of range should be a positive number: ${expression}`);
}

function parseNumber(text: string, { names = [], min }: Bounds): number {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return named + min;
  if (!/^[-+]?\d+$/.test(text))
    throw new ScheduleError(`failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`);
  const number = Number(text);
  if (number < 0) throw new ScheduleError(`negative number (${number}) not allowed: ${text}`);
  return number;
}
