import {
  CelDuration,
  CelError,
  CelList,
  CelMap,
  type CelResult,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from '../evaluate/CelValue.ts';
import { typeNameOf } from '../evaluate/typeNameOf.ts';
import { formatDouble, formatDuration, formatTimestamp } from './formatScalar.ts';

const MAX_PRECISION = 100;

/** CEL's `"…".format([…])`: `%s %d %f %e %b %o %x %X %%`, with a precision for `%f` and `%e`. */
export function formatText(template: string, list: CelList): CelResult {
  let argument = 0;
  let result = '';
  let last = 0;
  for (const match of template.matchAll(/%(?:\.(\d*))?([^]?)/g)) {
    const [text, digits, clause = ''] = match;
    result += template.slice(last, match.index);
    last = match.index + text.length;
    if (clause === '%' && digits === undefined) {
      result += '%';
      continue;
    }
    if (clause === '') return new CelError('could not parse formatting clause: unexpected end of string');
    const value = list.items[argument];
    if (value === undefined) return new CelError(`index ${argument} out of range`);
    argument += 1;
    const shown = formatClause(clause, digits, value);
    if (shown instanceof CelError) return shown;
    result += shown;
  }
  return result + template.slice(last);
}

function formatClause(clause: string, digits: string | undefined, value: CelValue): string | CelError {
  const precision = digits === undefined || digits === '' ? 6 : Number(digits);
  if (precision > MAX_PRECISION)
    return new CelError(`precision ${precision} exceeds maximum allowed precision ${MAX_PRECISION}`);
  switch (clause) {
    case 's':
      return textOf(value);
    case 'd':
      return decimalOf(value) ?? unsuitable('decimal clause can only be used on integers', value);
    case 'f':
    case 'e':
      return fractionOf(value, clause, precision);
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return radixOf(value, 2) ?? unsuitable('only integers and bools can be formatted as binary', value);
    case 'o':
      return radixOf(value, 8) ?? unsuitable('octal clause can only be used on integers', value);
    case 'x':
    case 'X': {
      const hex = hexOf(value) ?? unsuitable('only integers, byte buffers, and strings can be formatted as hex', value);
      return typeof hex === 'string' && clause === 'X' ? hex.toUpperCase() : hex;
    }
    default:
      return new CelError(`could not parse formatting clause: unrecognized formatting clause "${clause}"`);
  }
}

function unsuitable(words: string, value: CelValue): CelError {
  return new CelError(`error during formatting: ${words}, was given ${typeNameOf(value)}`);
}

function integerOf(value: CelValue): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return value instanceof CelUint ? value.value : undefined;
}

function decimalOf(value: CelValue): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return nonFinite(value);
  return integerOf(value)?.toString();
}

function radixOf(value: CelValue, radix: number): string | undefined {
  return integerOf(value)?.toString(radix);
}

function hexOf(value: CelValue): string | undefined {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return radixOf(value, 16);
}

function nonFinite(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? 'Infinity' : '-Infinity';
}

function fractionOf(value: CelValue, clause: 'f' | 'e', precision: number): string | CelError {
  const number = typeof value === 'number' ? value : Number(integerOf(value) ?? Number.NaN);
  if (typeof value !== 'number' && integerOf(value) === undefined)
    return unsuitable(`${clause === 'f' ? 'fixed-point' : 'scientific'} clause can only be used on doubles`, value);
  if (!Number.isFinite(number)) return nonFinite(number);
  if (clause === 'f') return number.toFixed(precision);
  return number.toExponential(precision).replace(/e([+-])(\d)$/, 'e$10$2');
}

function textOf(value: CelValue): string | CelError {
  if (typeof value === 'string') return value;
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? formatDouble(value) : nonFinite(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  if (value instanceof CelTypeValue) return value.name;
  if (value instanceof CelList) return listText(value);
  if (value instanceof CelMap) return mapText(value);
  return (
    decimalOf(value) ??
    new CelError(
      `error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ${typeNameOf(value)}`,
    )
  );
}

function listText(list: CelList): string | CelError {
  const parts: string[] = [];
  for (const item of list.items) {
    const part = textOf(item);
    if (part instanceof CelError) return part;
    parts.push(part);
  }
  return `[${parts.join(', ')}]`;
}

/** The members of a map, sorted by key. */
function mapText({ source }: CelMap): string | CelError {
  const members: string[] = [];
  for (const key of source.keys()) {
    const [name, value] = [textOf(key), textOf(source.get(key) ?? null)];
    if (name instanceof CelError) return name;
    if (value instanceof CelError) return value;
    members.push(`${name}: ${value}`);
  }
  return `{${members.sort().join(', ')}}`;
}
