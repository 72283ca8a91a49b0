import type { ScanCommandInput } from '@aws-sdk/client-dynamodb';
import { DYNAMODB } from '../publishedLimits.ts';
import type { Item } from './attributeValues.ts';
import { unitsOfRead } from './capacityUnits.ts';
import type { DynamoTable } from './DynamoTable.ts';
import { hashOf } from './Partitions.ts';
import type { QueryPage } from './queryTable.ts';

/** Reads one page of a table, and takes its units from the partitions that it met. */
export function scanTable(
  table: DynamoTable,
  { ConsistentRead, Limit = Number.POSITIVE_INFINITY, ExclusiveStartKey }: ScanCommandInput,
): QueryPage {
  const after = ExclusiveStartKey && table.shape.placeOf(ExclusiveStartKey);
  let partition = table.admit('read', 'scan', after ? hashOf(after.hash) : 0);
  const items: Item[] = [];
  let [bytes, readUnits] = [0, 0];
  let isComplete = true;
  for (const { entry, hash } of table.scan(after)) {
    if (items.length >= Limit || (items.length > 0 && bytes + entry.bytes > DYNAMODB.pageBytes)) {
      isComplete = false;
      break;
    }
    const met = table.partitions.of(hash);
    if (met !== partition) partition = table.admit('read', 'scan', hash);
    const unitsBefore = unitsOfRead(bytes, ConsistentRead === true);
    bytes += entry.bytes;
    const units = unitsOfRead(bytes, ConsistentRead === true) - unitsBefore;
    table.partitions.take(partition, 'read', units);
    readUnits += units;
    items.push(entry.item);
  }
  table.charge('read', 'scan', partition, unitsOfRead(bytes, ConsistentRead === true) - readUnits);
  const last = items.at(-1);
  return {
    items,
    lastKey: isComplete || !last ? undefined : table.shape.keyOf(last),
    readUnits: unitsOfRead(bytes, ConsistentRead === true),
  };
}
