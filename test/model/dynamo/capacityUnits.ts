import { DYNAMODB } from '../publishedLimits.ts';
import { areEqualItems } from './attributeValues.ts';
import type { Entry } from './SortedEntries.ts';

/** Returns the units of a read of so many bytes together. An eventual read costs half. */
export function unitsOfRead(bytes: number, isStrong: boolean): number {
  return Math.max(1, Math.ceil(bytes / DYNAMODB.readUnitBytes)) * (isStrong ? 1 : 0.5);
}

export function unitsOfWrite(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / DYNAMODB.writeUnitBytes));
}

/** Returns the units of a change of an item's entry in an index: nothing if the entry stays as it is, and two writes if its key changes. */
export function unitsOfEntry(before: Entry | undefined, after: Entry | undefined): number {
  if (!before && !after) return 0;
  if (before && after && before.key === after.key) {
    return areEqualItems(before.item, after.item) ? 0 : unitsOfWrite(Math.max(before.bytes, after.bytes));
  }
  return (before ? unitsOfWrite(before.bytes) : 0) + (after ? unitsOfWrite(after.bytes) : 0);
}
