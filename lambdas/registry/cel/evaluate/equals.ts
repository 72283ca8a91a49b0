import { compareQuantities } from '../../../objects/quantities/quantity.ts';
import {
  CelDuration,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from './CelValue.ts';
import { CidrValue, FormatValue, IpValue, QuantityValue, SemverValue, UrlValue } from './LibraryValue.ts';

/** CEL's `==`: numbers are equal across types, other values of different types are not. */
export function equals(a: CelValue, b: CelValue): boolean {
  if (a === b) return true;
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b) === 0;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof CelList) return b instanceof CelList && listsEqual(a, b);
  if (a instanceof CelMap) return b instanceof CelMap && mapsEqual(a, b);
  if (a instanceof CelOptional) return b instanceof CelOptional && optionalsEqual(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanos === b.nanos;
  if (a instanceof CelTimestamp) return b instanceof CelTimestamp && a.nanos === b.nanos;
  if (a instanceof CelTypeValue) return b instanceof CelTypeValue && a.name === b.name;
  return libraryEquals(a, b);
}

function libraryEquals(a: CelValue, b: CelValue): boolean {
  if (a instanceof QuantityValue) return b instanceof QuantityValue && compareQuantities(a.quantity, b.quantity) === 0;
  if (a instanceof UrlValue) return b instanceof UrlValue && a.text === b.text;
  if (a instanceof IpValue) return b instanceof IpValue && a.family === b.family && a.bits === b.bits;
  if (a instanceof CidrValue)
    return b instanceof CidrValue && libraryEquals(a.ip, b.ip) && a.prefixLength === b.prefixLength;
  if (a instanceof FormatValue) return b instanceof FormatValue && a.name === b.name;
  return a instanceof SemverValue && b instanceof SemverValue && compareSemver(a, b) === 0;
}

export type Numeric = bigint | number | CelUint;

export function isNumeric(value: CelValue): value is Numeric {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof CelUint;
}

/** Compares numbers of any types; NaN is neither less nor more than anything: `undefined`. */
export function compareNumbers(a: Numeric, b: Numeric): number | undefined {
  const [left, right] = [a instanceof CelUint ? a.value : a, b instanceof CelUint ? b.value : b];
  if (Number.isNaN(left) || Number.isNaN(right)) return undefined;
  // JavaScript compares a bigint with a number exactly.
  return left < right ? -1 : Number(left > right);
}

function optionalsEqual(a: CelOptional, b: CelOptional): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equals(a.value, b.value);
}

/** Sets, and lists with keys, are equal in any order. */
function listsEqual(a: CelList, b: CelList): boolean {
  if (a.items.length !== b.items.length) return false;
  const { identity } = a;
  if (identity === undefined) return a.items.every((item, index) => equals(item, b.items[index] ?? null));
  const others = new Map(b.items.map((item) => [identity.keyOf(item), item]));
  return a.items.every((item) => {
    const other = others.get(identity.keyOf(item));
    return other !== undefined && equals(item, other);
  });
}

function mapsEqual(a: CelMap, b: CelMap): boolean {
  if (a.source.size !== b.source.size) return false;
  for (const key of a.source.keys()) {
    const [left, right] = [a.source.get(key), b.source.get(key)];
    if (left === undefined || right === undefined || !equals(left, right)) return false;
  }
  return true;
}

/** Compares versions by the rules of semver 2.0; what comes after `+` does not count. */
export function compareSemver(a: SemverValue, b: SemverValue): number {
  for (const part of ['major', 'minor', 'patch'] as const) if (a[part] !== b[part]) return a[part] < b[part] ? -1 : 1;
  if (a.prerelease.length === 0 || b.prerelease.length === 0)
    return Number(b.prerelease.length > 0) - Number(a.prerelease.length > 0);
  for (const [index, left] of a.prerelease.entries()) {
    const right = b.prerelease[index];
    if (right === undefined) return 1;
    const order = compareIdentifiers(left, right);
    if (order !== 0) return order;
  }
  return a.prerelease.length === b.prerelease.length ? 0 : -1;
}

/** Numbers come before names. */
function compareIdentifiers(a: string, b: string): number {
  const [isNumber, otherIsNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && otherIsNumber) return BigInt(a) < BigInt(b) ? -1 : Number(BigInt(a) > BigInt(b));
  if (isNumber !== otherIsNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}
