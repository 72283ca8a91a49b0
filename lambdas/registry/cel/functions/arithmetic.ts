import { CelDuration, CelError, CelList, type CelResult, CelTimestamp, CelUint } from '../evaluate/CelValue.ts';
import { equals } from '../evaluate/equals.ts';
import { type Overload, overload } from './Overload.ts';

const INT_END = 2n ** 63n;
const UINT_END = 2n ** 64n;
/** The first moment of the year 1 and the last of the year 9999, in nanoseconds. */
const MIN_TIMESTAMP = -62_135_596_800_000_000_000n;
const MAX_TIMESTAMP = 253_402_300_799_999_999_999n;

export function int(value: bigint): CelResult {
  return value >= INT_END || value < -INT_END ? new CelError('integer overflow') : value;
}

export function uint(value: bigint): CelResult {
  return value >= UINT_END || value < 0n ? new CelError('unsigned integer overflow') : new CelUint(value);
}

export function duration(nanos: bigint): CelResult {
  return nanos >= INT_END || nanos < -INT_END ? new CelError('duration overflow') : new CelDuration(nanos);
}

export function timestamp(nanos: bigint): CelResult {
  return nanos > MAX_TIMESTAMP || nanos < MIN_TIMESTAMP ? new CelError('timestamp overflow') : new CelTimestamp(nanos);
}

function division(name: string): CelError {
  return new CelError(`${name} by zero`);
}

type Time = CelTimestamp;
type Span = CelDuration;

/** CEL's operators on numbers, texts, lists and times. Whole numbers do not wrap around: too large a result is an error. */
export const ARITHMETIC: readonly Overload[] = [
  overload(
    'add_bytes',
    '_+_',
    '(bytes, bytes) bytes',
    (a: Uint8Array, b: Uint8Array) => new Uint8Array(Buffer.concat([a, b])),
  ),
  overload('add_double', '_+_', '(double, double) double', (a: number, b: number) => a + b),
  overload('add_duration_duration', '_+_', '(duration, duration) duration', (a: Span, b: Span) =>
    duration(a.nanos + b.nanos),
  ),
  overload('add_duration_timestamp', '_+_', '(duration, timestamp) timestamp', (a: Span, b: Time) =>
    timestamp(a.nanos + b.nanos),
  ),
  overload('add_timestamp_duration', '_+_', '(timestamp, duration) timestamp', (a: Time, b: Span) =>
    timestamp(a.nanos + b.nanos),
  ),
  overload('add_int64', '_+_', '(int, int) int', (a: bigint, b: bigint) => int(a + b)),
  overload('add_list', '_+_', '(list(A), list(A)) list(A)', concatenate),
  overload('add_string', '_+_', '(string, string) string', (a: string, b: string) => a + b),
  overload('add_uint64', '_+_', '(uint, uint) uint', (a: CelUint, b: CelUint) => uint(a.value + b.value)),
  overload('subtract_double', '_-_', '(double, double) double', (a: number, b: number) => a - b),
  overload('subtract_duration_duration', '_-_', '(duration, duration) duration', (a: Span, b: Span) =>
    duration(a.nanos - b.nanos),
  ),
  overload('subtract_int64', '_-_', '(int, int) int', (a: bigint, b: bigint) => int(a - b)),
  overload('subtract_timestamp_duration', '_-_', '(timestamp, duration) timestamp', (a: Time, b: Span) =>
    timestamp(a.nanos - b.nanos),
  ),
  overload('subtract_timestamp_timestamp', '_-_', '(timestamp, timestamp) duration', (a: Time, b: Time) =>
    duration(a.nanos - b.nanos),
  ),
  overload('subtract_uint64', '_-_', '(uint, uint) uint', (a: CelUint, b: CelUint) => uint(a.value - b.value)),
  overload('multiply_double', '_*_', '(double, double) double', (a: number, b: number) => a * b),
  overload('multiply_int64', '_*_', '(int, int) int', (a: bigint, b: bigint) => int(a * b)),
  overload('multiply_uint64', '_*_', '(uint, uint) uint', (a: CelUint, b: CelUint) => uint(a.value * b.value)),
  overload('divide_double', '_/_', '(double, double) double', (a: number, b: number) => a / b),
  overload('divide_int64', '_/_', '(int, int) int', (a: bigint, b: bigint) =>
    b === 0n ? division('division') : int(a / b),
  ),
  overload('divide_uint64', '_/_', '(uint, uint) uint', (a: CelUint, b: CelUint) =>
    b.value === 0n ? division('division') : uint(a.value / b.value),
  ),
  overload('modulo_int64', '_%_', '(int, int) int', (a: bigint, b: bigint) =>
    b === 0n ? division('modulus') : int(a % b),
  ),
  overload('modulo_uint64', '_%_', '(uint, uint) uint', (a: CelUint, b: CelUint) =>
    b.value === 0n ? division('modulus') : uint(a.value % b.value),
  ),
  overload('negate_double', '-_', '(double) double', (a: number) => -a),
  overload('negate_int64', '-_', '(int) int', (a: bigint) => int(-a)),
];

/** Joins lists. A set takes what it has not, and a list with keys replaces the items that it has, as upstream's `+` on such lists. */
function concatenate(a: CelList, b: CelList): CelList {
  const { identity } = a;
  if (identity === undefined) return new CelList([...a.items, ...b.items]);
  const merged = new Map(a.items.map((item) => [identity.keyOf(item), item]));
  for (const item of b.items) {
    const key = identity.keyOf(item);
    const known = merged.get(key);
    if (known === undefined || !equals(known, item)) merged.set(key, item);
  }
  return new CelList([...merged.values()], identity);
}
