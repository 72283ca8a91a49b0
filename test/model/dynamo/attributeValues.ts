import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { compareDecimals, normalizeDecimal } from './decimal.ts';
import { validationError } from './serviceErrors.ts';

/** An item as stored. Items and their values are never changed, only replaced, so readers and streams share them. */
export type Item = Readonly<Record<string, AttributeValue>>;

export type AttributeType = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'L' | 'M' | 'SS' | 'NS' | 'BS';

export function typeOf(value: AttributeValue): AttributeType {
  for (const type in value) if (value[type as keyof AttributeValue] !== undefined) return type as AttributeType;
  throw validationError('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
}

/** Returns the value as it is stored and returned. Numbers lose superfluous zeros. Throws for what DynamoDB refuses. */
export function normalized(value: AttributeValue): AttributeValue {
  if (value.S !== undefined || value.B !== undefined) return value;
  if (value.N !== undefined) return normalizedNumber(value);
  if (value.M !== undefined) {
    const entries = Object.entries(value.M).map(([name, one]) => [name, normalized(one)] as const);
    return { M: Object.fromEntries(entries) };
  }
  if (value.L !== undefined) return { L: value.L.map(normalized) };
  if (value.NS !== undefined) return { NS: nonEmpty(value.NS).map((text) => normalizedNumber({ N: text }).N ?? '') };
  if (value.SS !== undefined) nonEmpty(value.SS);
  if (value.BS !== undefined) nonEmpty(value.BS);
  typeOf(value);
  return value;
}

function normalizedNumber(value: { N: string }): AttributeValue {
  const text = normalizeDecimal(value.N);
  if (text === value.N) return value;
  if (text === undefined) {
    throw validationError(`The parameter cannot be converted to a numeric value: ${value.N}`);
  }
  return { N: text };
}

function nonEmpty<T>(members: readonly T[]): readonly T[] {
  if (members.length > 0) return members;
  throw validationError('One or more parameter values were invalid: An number set  may not be empty');
}

/** True if both are of one type and equal. */
export function areEqual(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  if (a === b) return true;
  if (!a || !b) return false;
  if (a.S !== undefined) return a.S === b.S;
  if (a.N !== undefined) return b.N !== undefined && compareDecimals(a.N, b.N) === 0;
  if (a.B !== undefined) return b.B !== undefined && Buffer.compare(a.B, b.B) === 0;
  if (a.M !== undefined) return b.M !== undefined && areEqualItems(a.M, b.M);
  if (a.L !== undefined) {
    return b.L?.length === a.L.length && a.L.every((one, at) => areEqual(one, b.L?.[at]));
  }
  if (a.BOOL !== undefined) return a.BOOL === b.BOOL;
  if (a.NULL !== undefined) return b.NULL !== undefined;
  return typeOf(a) === typeOf(b) && areEqualSets(membersOf(a), membersOf(b));
}

export function areEqualItems(a: Item, b: Item): boolean {
  for (const name in a) if (!areEqual(a[name], b[name])) return false;
  for (const name in b) if (!(name in a)) return false;
  return true;
}

/** The members of a set, each as a value of its own; `undefined` of other types. */
export function membersOf(value: AttributeValue): readonly AttributeValue[] | undefined {
  if (value.SS) return value.SS.map((S) => ({ S }));
  if (value.NS) return value.NS.map((N) => ({ N }));
  return value.BS?.map((B) => ({ B }));
}

function areEqualSets(a: readonly AttributeValue[] = [], b: readonly AttributeValue[] = []): boolean {
  return a.length === b.length && a.every((one) => b.some((other) => areEqual(one, other)));
}

/** Compares two values of one type that has an order; `undefined` if they have none in common. Strings are in the order of their UTF-8 bytes. */
export function compareValues(a: AttributeValue, b: AttributeValue): number | undefined {
  if (a.S !== undefined && b.S !== undefined) return compareTexts(sortable(a.S), sortable(b.S));
  if (a.N !== undefined && b.N !== undefined) return compareDecimals(a.N, b.N);
  if (a.B !== undefined && b.B !== undefined) return Buffer.compare(a.B, b.B);
  return undefined;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/**
 * Returns a text whose order by UTF-16 units, which JavaScript compares, is that of the given text's UTF-8 bytes. The two differ only for surrogates, which have
 * lower units than U+E000 to U+FFFF, but stand for higher characters.
 */
export function sortable(text: string): string {
  if (!/[\ud800-\uffff]/.test(text)) return text;
  const units = Array.from({ length: text.length }, (_, at) => {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800) return unit;
    return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
  });
  return units.map((unit) => String.fromCharCode(unit)).join('');
}
