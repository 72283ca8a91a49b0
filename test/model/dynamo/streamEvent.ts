import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from './attributeValues.ts';
import type { TableRecord } from './StreamShard.ts';

/** Returns a record exactly as a function receives it from Lambda: as JSON, in which bytes are base64. */
export function streamEventRecord(record: TableRecord): object {
  const { Keys, NewImage, OldImage, ...others } = record.dynamodb;
  return {
    ...record,
    dynamodb: {
      ...others,
      Keys: encodedItem(Keys),
      ...(NewImage && { NewImage: encodedItem(NewImage) }),
      ...(OldImage && { OldImage: encodedItem(OldImage) }),
    },
  };
}

function encodedItem(item: Item): object {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, encoded(value)]));
}

function encoded(value: AttributeValue): object {
  if (value.B) return { B: Buffer.from(value.B).toString('base64') };
  if (value.BS) return { BS: value.BS.map((bytes) => Buffer.from(bytes).toString('base64')) };
  if (value.M) return { M: encodedItem(value.M) };
  return value.L ? { L: value.L.map(encoded) } : value;
}
