import { parseGoDuration } from '../../../objects/go/goDuration.ts';
import {
  CelDuration,
  CelError,
  type CelResult,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from '../evaluate/CelValue.ts';
import { typeNameOf } from '../evaluate/typeNameOf.ts';
import { sizeOf } from '../evaluate/sizeOf.ts';
import { int, timestamp, uint } from './arithmetic.ts';
import { formatDouble, formatDuration, formatTimestamp } from './formatScalar.ts';
import { type Overload, overload } from './Overload.ts';
import { parseTimestamp } from './parseTimestamp.ts';

const NANOS = 1_000_000_000n;
const same = (value: CelValue) => value;

/** CEL's `size`, and its conversions, which have the names of the types. */
export const CONVERSION: readonly Overload[] = [
  ...['bytes', 'list', 'map', 'string'].flatMap((kind) => {
    const type = { bytes: 'bytes', list: 'list(A)', map: 'map(A, B)', string: 'string' }[kind];
    const size = (value: CelValue) => BigInt(sizeOf(value) ?? 0);
    return [
      overload(`size_${kind}`, 'size', `(${type}) int`, size),
      overload(`${kind}_size`, 'size', `${type}.() int`, size),
    ];
  }),
  overload('type', 'type', '(A) type(A)', (value: CelValue) => new CelTypeValue(typeNameOf(value))),
  overload('to_dyn', 'dyn', '(A) dyn', same),
  overload('bool_to_bool', 'bool', '(bool) bool', same),
  overload('string_to_bool', 'bool', '(string) bool', toBool),
  overload('bytes_to_bytes', 'bytes', '(bytes) bytes', same),
  overload('string_to_bytes', 'bytes', '(string) bytes', (text: string) => new TextEncoder().encode(text)),
  overload('double_to_double', 'double', '(double) double', same),
  overload('int64_to_double', 'double', '(int) double', (value: bigint) => Number(value)),
  overload('string_to_double', 'double', '(string) double', toDouble),
  overload('uint64_to_double', 'double', '(uint) double', (value: CelUint) => Number(value.value)),
  overload('duration_to_duration', 'duration', '(duration) duration', same),
  overload('string_to_duration', 'duration', '(string) duration', toDuration),
  overload('int64_to_int64', 'int', '(int) int', same),
  overload('double_to_int64', 'int', '(double) int', (value: number) => fromDouble(value, int, 'integer overflow')),
  overload('duration_to_int64', 'int', '(duration) int', (value: CelDuration) => value.nanos),
  overload('string_to_int64', 'int', '(string) int', (text: string) => toInteger(text, /^[+-]?\d{1,20}$/, int, 'int')),
  overload('timestamp_to_int64', 'int', '(timestamp) int', (value: CelTimestamp) => floorDivide(value.nanos, NANOS)),
  overload('uint64_to_int64', 'int', '(uint) int', (value: CelUint) => int(value.value)),
  overload('string_to_string', 'string', '(string) string', same),
  overload('bool_to_string', 'string', '(bool) string', String),
  overload('bytes_to_string', 'string', '(bytes) string', fromBytes),
  overload('double_to_string', 'string', '(double) string', formatDouble),
  overload('duration_to_string', 'string', '(duration) string', formatDuration),
  overload('int64_to_string', 'string', '(int) string', String),
  overload('timestamp_to_string', 'string', '(timestamp) string', formatTimestamp),
  overload('uint64_to_string', 'string', '(uint) string', (value: CelUint) => String(value.value)),
  overload('timestamp_to_timestamp', 'timestamp', '(timestamp) timestamp', same),
  overload('int64_to_timestamp', 'timestamp', '(int) timestamp', (seconds: bigint) => timestamp(seconds * NANOS)),
  overload('string_to_timestamp', 'timestamp', '(string) timestamp', toTimestamp),
  overload('uint64_to_uint64', 'uint', '(uint) uint', same),
  overload('double_to_uint64', 'uint', '(double) uint', (value: number) =>
    fromDouble(value, uint, 'unsigned integer overflow'),
  ),
  overload('int64_to_uint64', 'uint', '(int) uint', uint),
  overload('string_to_uint64', 'uint', '(string) uint', (text: string) => toInteger(text, /^\d{1,20}$/, uint, 'uint')),
];

function toBool(text: string): CelResult {
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)) return true;
  if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text)) return false;
  return conversionError('string', 'bool');
}

function conversionError(from: string, to: string): CelError {
  return new CelError(`type conversion error from '${from}' to '${to}'`);
}

function toDouble(text: string): CelResult {
  if (/^[+-]?(?:inf|infinity)$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^[+-]?nan$/i.test(text)) return Number.NaN;
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) || text.length > 1_000)
    return conversionError('string', 'double');
  const value = Number(text);
  return Number.isFinite(value) ? value : conversionError('string', 'double');
}

function toDuration(text: string): CelResult {
  const nanos = parseGoDuration(text);
  return nanos === undefined ? conversionError('string', 'google.protobuf.Duration') : new CelDuration(nanos);
}

function toTimestamp(text: string): CelResult {
  const nanos = parseTimestamp(text);
  return nanos === undefined ? conversionError('string', 'google.protobuf.Timestamp') : timestamp(nanos);
}

function toInteger(text: string, pattern: RegExp, make: (value: bigint) => CelResult, type: string): CelResult {
  const result = pattern.test(text) ? make(BigInt(text.replace(/^\+/, ''))) : new CelError('');
  return result instanceof CelError ? conversionError('string', type) : result;
}

/** Cuts the fraction off. */
function fromDouble(value: number, make: (value: bigint) => CelResult, overflow: string): CelResult {
  return Number.isFinite(value) ? make(BigInt(Math.trunc(value))) : new CelError(overflow);
}

function fromBytes(bytes: Uint8Array): CelResult {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

/** Divides, towards minus infinity. */
export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}
