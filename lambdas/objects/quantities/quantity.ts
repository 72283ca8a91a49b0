/**
 * Kubernetes' `resource.Quantity`, exact: a fixed-point number in billionths, and the family of suffixes in which it was written. As in Kubernetes,
 * parsing rounds to billionths, away from zero, and cuts a number above 2^63 - 1 to that.
 */
export interface Quantity {
  readonly nanos: bigint;
  readonly format: 'DecimalSI' | 'BinarySI' | 'DecimalExponent';
}

const NANO = 1_000_000_000n;
const LARGEST = (2n ** 63n - 1n) * NANO;

const DECIMAL_SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Kubernetes' wording for text that is not a quantity. */
export const QUANTITY_FORMAT_MESSAGE =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Parses `100m`, `1.5Gi`, `2e3`, or a JSON number; undefined for anything else. */
export function parseQuantity(value: unknown): Quantity | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > 1_000) return undefined;
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?\d+)?$/.exec(text);
  const [, sign, whole = '', fraction = '', suffix = ''] = match ?? [];
  if (match === null || whole + fraction === '') return undefined;
  const magnitude = scaled(BigInt(whole + fraction), fraction.length, suffix);
  return { nanos: sign === '-' ? -magnitude : magnitude, format: formatOf(suffix) };
}

function formatOf(suffix: string): Quantity['format'] {
  if (suffix.endsWith('i')) return 'BinarySI';
  return /^[eE]./.test(suffix) ? 'DecimalExponent' : 'DecimalSI';
}

/** `digits` shifted right by `decimals`, times the factor of the suffix, in billionths. */
function scaled(digits: bigint, decimals: number, suffix: string): bigint {
  const binary = suffix === '' ? -1 : BINARY_SUFFIXES.indexOf(suffix);
  const factor = binary > 0 ? 1024n ** BigInt(binary) : 1n;
  const exponent = (binary > 0 ? 0 : decimalExponent(suffix)) - decimals + 9;
  if (digits === 0n) return 0n;
  // Beyond every limit. This also keeps a hostile exponent from building a number of a billion digits.
  if (exponent > 60) return LARGEST;
  if (exponent < -2_000) return 1n;
  return cut(
    exponent >= 0 ? digits * factor * 10n ** BigInt(exponent) : divideUp(digits * factor, 10n ** BigInt(-exponent)),
  );
}

function decimalExponent(suffix: string): number {
  if (/^[eE]./.test(suffix)) return Number(suffix.slice(1));
  return (DECIMAL_SUFFIXES.indexOf(suffix) - 3) * 3;
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

function cut(nanos: bigint): bigint {
  return nanos > LARGEST ? LARGEST : nanos;
}

/** Compares for sorting: below zero, zero or above zero. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  if (a.nanos === b.nanos) return 0;
  return a.nanos < b.nanos ? -1 : 1;
}

/** Adds. The sum has the format of `a`, or of `b` if `a` is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nanos: a.nanos + b.nanos, format: a.nanos === 0n ? b.format : a.format };
}

/** Rounds to thousandths, away from zero: resource lists keep nothing finer. */
export function roundUpToMilli({ nanos, format }: Quantity): Quantity {
  const magnitude = divideUp(nanos < 0n ? -nanos : nanos, 1_000_000n) * 1_000_000n;
  return { nanos: nanos < 0n ? -magnitude : magnitude, format };
}

/** Writes the canonical form: no fraction, and the largest suffix of its family that loses nothing. `1024Mi` becomes `1Gi`, `0.5` becomes `500m`. */
export function formatQuantity({ nanos, format }: Quantity): string {
  const magnitude = nanos < 0n ? -nanos : nanos;
  const sign = nanos < 0n ? '-' : '';
  // Binary suffixes take no fractions, and begin at 1024.
  if (format === 'BinarySI' && magnitude >= 1024n * NANO && magnitude % NANO === 0n) {
    const [number, power] = reduce(magnitude / NANO, 1024n, 0, 6);
    return `${sign}${number}${BINARY_SUFFIXES[power]}`;
  }
  const [number, power] = magnitude === 0n ? [0n, 0] : reduce(magnitude, 1000n, -3, 6);
  return `${sign}${number}${format === 'DecimalExponent' ? exponentSuffix(power) : DECIMAL_SUFFIXES[power + 3]}`;
}

function exponentSuffix(power: number): string {
  return power === 0 ? '' : `e${power * 3}`;
}

function reduce(number: bigint, base: bigint, power: number, highest: number): [bigint, number] {
  let [rest, reached] = [number, power];
  while (reached < highest && rest % base === 0n) {
    rest /= base;
    reached += 1;
  }
  return [rest, reached];
}
