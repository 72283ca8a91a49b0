import { goQuote } from './goQuote.ts';

const NANOS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const MAX_NANOS = 2n ** 63n;

/** Parses a duration as Go's `time.ParseDuration`: `1h30m`, `-1.5s`. Returns nanoseconds; `undefined` if the text is not a duration, or is too long for 64 bits. */
export function parseGoDuration(text: string): bigint | undefined {
  if (text.length > 1_000) return undefined;
  if (/^[+-]?0$/.test(text)) return 0n;
  const [, sign = '', rest = ''] = /^([+-]?)((?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.exec(text) ?? [];
  if (rest === '') return undefined;
  let nanos = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of rest.matchAll(/(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g)) {
    const size = NANOS[unit] ?? 0n;
    nanos += BigInt(whole === '' ? '0' : whole) * size;
    nanos += (BigInt(fraction === '' ? '0' : fraction) * size) / 10n ** BigInt(fraction.length);
  }
  if (nanos > (sign === '-' ? MAX_NANOS : MAX_NANOS - 1n)) return undefined;
  return sign === '-' ? -nanos : nanos;
}

export function isGoDuration(text: string): boolean {
  return parseGoDuration(text) !== undefined;
}

/** Writes milliseconds as Go's `Duration.String` does: `15s`, `1m0.25s`, `500ms`. Pure. */
export function formatGoDuration(ms: number): string {
  if (ms === 0) return '0s';
  const magnitude = Math.abs(ms);
  const sign = ms < 0 ? '-' : '';
  if (magnitude < 1_000) return `${sign}${magnitude}ms`;
  const [hours, minutes] = [Math.floor(magnitude / 3_600_000), Math.floor(magnitude / 60_000) % 60];
  const seconds = `${(magnitude % 60_000) / 1_000}s`;
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`;
}

/** Returns what Go's `time.ParseDuration` says about a text that is not a duration. Pure. */
export function goDurationError(text: string): string {
  const quoted = goQuote(text);
  let rest = text.replace(/^[+-]/, '');
  while (rest !== '') {
    const [number = '', unit = ''] = /^(?:\d+\.?\d*|\.\d+)([^.\d]*)/.exec(rest) ?? [];
    if (number === '') break;
    if (unit === '') return `time: missing unit in duration ${quoted}`;
    if (NANOS[unit] === undefined) return `time: unknown unit ${goQuote(unit)} in duration ${quoted}`;
    rest = rest.slice(number.length);
  }
  return `time: invalid duration ${quoted}`;
}
