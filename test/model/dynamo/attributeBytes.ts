import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from './attributeValues.ts';

/** The overhead of a list or a map, and of each of its elements. */
const CONTAINER_BYTES = 3;
const ELEMENT_BYTES = 1;

/** Returns the size of an item as DynamoDB counts it: its attributes' names and values. */
export function itemBytes(item: Item): number {
  let bytes = 0;
  for (const name in item) bytes += textBytes(name) + valueBytes(item[name]);
  return bytes;
}

function valueBytes(value: AttributeValue | undefined): number {
  if (!value) return 0;
  if (value.S !== undefined) return textBytes(value.S);
  if (value.N !== undefined) return numberBytes(value.N);
  if (value.B !== undefined) return value.B.length;
  if (value.M !== undefined) return CONTAINER_BYTES + itemBytes(value.M) + ELEMENT_BYTES * Object.keys(value.M).length;
  if (value.L !== undefined) return CONTAINER_BYTES + sum(value.L, (one) => ELEMENT_BYTES + valueBytes(one));
  if (value.SS !== undefined) return sum(value.SS, textBytes);
  if (value.NS !== undefined) return sum(value.NS, numberBytes);
  if (value.BS !== undefined) return sum(value.BS, ({ length }) => length);
  return 1;
}

/** About one byte for two significant digits, one more, and one for a minus sign. */
function numberBytes(text: string): number {
  const digits = text
    .replace(/^-/, '')
    .replace('.', '')
    .replace(/^0+|0+$/g, '').length;
  return Math.ceil(digits / 2) + 1 + Number(text.startsWith('-'));
}

function textBytes(text: string): number {
  return Buffer.byteLength(text);
}

function sum<T>(values: readonly T[], bytesOf: (value: T) => number): number {
  return values.reduce((total, value) => total + bytesOf(value), 0);
}
