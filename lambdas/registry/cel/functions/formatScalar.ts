import { goNumber } from '../../apiextensions/values/goNumber.ts';
import type { CelDuration, CelTimestamp } from '../evaluate/CelValue.ts';

/** Prints a double as CEL's `string()` does. */
export function formatDouble(value: number): string {
  return goNumber(value);
}

/** Prints a duration in seconds: `90s`, `-1.5s`. */
export function formatDuration({ nanos }: CelDuration): string {
  const magnitude = nanos < 0n ? -nanos : nanos;
  const fraction = String(magnitude % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${nanos < 0n ? '-' : ''}${magnitude / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`;
}

/** Prints a time as RFC 3339 in UTC, with as much of a fraction as it has. */
export function formatTimestamp({ nanos }: CelTimestamp): string {
  const fraction = ((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const seconds = (nanos - fraction) / 1_000_000_000n;
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  const digits = String(fraction).padStart(9, '0').replace(/0+$/, '');
  return `${text}${digits === '' ? '' : `.${digits}`}Z`;
}
