const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** The form of durations below `below` seconds: the larger unit and, optionally, a smaller one, each with its seconds and its letter. */
interface Step {
  readonly below: number;
  readonly unit: number;
  readonly letter: string;
  readonly rest?: { readonly unit: number; readonly letter: string };
}

/** Longer durations are printed with less precision: two or three significant digits. From apimachinery's `duration.HumanDuration`. */
const STEPS: readonly Step[] = [
  { below: 2 * MINUTE, unit: 1, letter: 's' },
  { below: 10 * MINUTE, unit: MINUTE, letter: 'm', rest: { unit: 1, letter: 's' } },
  { below: 3 * HOUR, unit: MINUTE, letter: 'm' },
  { below: 8 * HOUR, unit: HOUR, letter: 'h', rest: { unit: MINUTE, letter: 'm' } },
  { below: 2 * DAY, unit: HOUR, letter: 'h' },
  { below: 8 * DAY, unit: DAY, letter: 'd', rest: { unit: HOUR, letter: 'h' } },
  { below: 2 * YEAR, unit: DAY, letter: 'd' },
  { below: 8 * YEAR, unit: YEAR, letter: 'y', rest: { unit: DAY, letter: 'd' } },
  { below: Number.POSITIVE_INFINITY, unit: YEAR, letter: 'y' },
];

/** Prints a duration as kubectl prints ages: `45s`, `4m30s`, `3h`, `2d4h`. Up to one second in the future counts as 0, since clocks differ. */
export function humanDuration(durationMs: number): string {
  const seconds = Math.trunc(durationMs / 1000);
  if (Number.isNaN(seconds) || seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  const step = STEPS.find(({ below }) => seconds < below);
  if (!step) return '<invalid>';
  const whole = `${Math.floor(seconds / step.unit)}${step.letter}`;
  if (!step.rest) return whole;
  const rest = Math.floor((seconds % step.unit) / step.rest.unit);
  return rest === 0 ? whole : `${whole}${rest}${step.rest.letter}`;
}

/** Prints the age of something that began at `timestamp` (RFC 3339), or `<unknown>` without a timestamp. */
export function ageOf(timestamp: string | null | undefined, nowMs: number): string {
  return timestamp ? humanDuration(nowMs - Date.parse(timestamp)) : '<unknown>';
}
