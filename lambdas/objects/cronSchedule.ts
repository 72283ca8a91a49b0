/** A field of a schedule: the range of its numbers, and the names that stand for them. */
interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
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

const DESCRIPTORS = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']);
const DURATION = /^[-+]?(?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+$/;

/** Returns what is wrong with a cron schedule, in the words of the Go library that Kubernetes parses schedules with; `undefined` if nothing is. Pure. */
export function cronScheduleError(schedule: string): string | undefined {
  if (schedule === '') return 'empty spec string';
  if (schedule.startsWith('@')) return descriptorError(schedule);
  const fields = schedule.trim().split(/\s+/).filter(Boolean);
  if (fields.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  for (const [index, bounds] of FIELDS.entries()) {
    const error = (fields[index] ?? '')
      .split(',')
      .map((expression) => rangeError(expression, bounds))
      .find(Boolean);
    if (error !== undefined) return error;
  }
  return undefined;
}

function descriptorError(schedule: string): string | undefined {
  if (DESCRIPTORS.has(schedule)) return undefined;
  const every = '@every ';
  if (!schedule.startsWith(every)) return `unrecognized descriptor: ${schedule}`;
  const duration = schedule.slice(every.length);
  if (DURATION.test(duration)) return undefined;
  return `failed to parse duration ${schedule}: time: invalid duration ${JSON.stringify(duration)}`;
}

/** Judges a star, a number or a range, with an optional step behind a slash. */
function rangeError(expression: string, bounds: Bounds): string | undefined {
  const [range = '', step, ...moreSteps] = expression.split('/');
  const [low = '', high, ...moreBounds] = range.split('-');
  const isStar = low === '*' || low === '?';
  if (!isStar && moreBounds.length > 0) return `too many hyphens: ${expression}`;
  const [start, startError] = isStar ? [bounds.min] : parseNumber(low, bounds);
  if (startError !== undefined) return startError;
  const [given, endError] = isStar || high === undefined ? [undefined] : parseNumber(high, bounds);
  if (endError !== undefined) return endError;
  if (moreSteps.length > 0) return `too many slashes: ${expression}`;
  const [size, stepError] = step === undefined ? [1] : parseNumber(step, { min: 0, max: 0 });
  if (stepError !== undefined) return stepError;
  const end = given ?? (isStar || step !== undefined ? bounds.max : start);
  return boundsError({ start, end, size, expression }, bounds);
}

function boundsError(
  {
    start,
    end,
    size,
    expression,
  }: Readonly<Record<'start' | 'end' | 'size', number>> & { readonly expression: string },
  { min, max }: Bounds,
): string | undefined {
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${expression}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${expression}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${expression}`;
  return size === 0 ? `step of range should be a positive number: ${expression}` : undefined;
}

/** Returns the number that a text means, or 0 with an error. */
function parseNumber(text: string, { names = [], min }: Bounds): [number, string?] {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return [named + min];
  if (!/^[-+]?\d+$/.test(text)) {
    return [0, `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`];
  }
  const number = Number(text);
  return number < 0 ? [0, `negative number (${number}) not allowed: ${text}`] : [number];
}
