import { type AttributeValue, QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb';
import { parseWorkKey, type WorkKey } from '../../../ports/WorkKey.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import { OVERDUE_SHARDS } from './keyItem.ts';
import { KEY_ITEMS_TABLE } from '../tables.ts';

interface Overdue {
  readonly encoded: string;
  readonly wakeAtMs: number;
}

/**
 * Returns the keys whose wake-up lies before `beforeMs`, the earliest first, at most `limit`. It reads the sparse index, so an idle stack pays almost
 * nothing. The index is a moment behind the table, which does no harm, since only late wake-ups are looked for.
 */
export async function queryOverdue(
  calls: DynamoDbCalls,
  tableName: string,
  beforeMs: number,
  limit: number,
): Promise<readonly WorkKey[]> {
  const shards = OVERDUE_SHARDS.map((shard) => queryShard(calls, tableName, shard, beforeMs, limit));
  const overdue = (await Promise.all(shards)).flat().sort((a, b) => a.wakeAtMs - b.wakeAtMs);
  return overdue.slice(0, limit).flatMap(({ encoded }) => parseWorkKey(encoded) ?? []);
}

async function queryShard(
  calls: DynamoDbCalls,
  tableName: string,
  shard: string,
  beforeMs: number,
  limit: number,
): Promise<readonly Overdue[]> {
  const overdue: Overdue[] = [];
  let from: Record<string, AttributeValue> | undefined;
  do {
    const query = new QueryCommand({
      TableName: tableName,
      IndexName: KEY_ITEMS_TABLE.globalIndexes[0].name,
      KeyConditionExpression: 'overdueShard = :shard AND wakeAt < :before',
      ExpressionAttributeValues: { ':shard': { S: shard }, ':before': { N: `${beforeMs}` } },
      Limit: limit - overdue.length,
      ...(from && { ExclusiveStartKey: from }),
    });
    const page: QueryCommandOutput = await calls.send((client) => client.send(query));
    for (const { key, wakeAt } of page.Items ?? []) {
      overdue.push({ encoded: key?.S ?? '', wakeAtMs: Number(wakeAt?.N) });
    }
    from = page.LastEvaluatedKey;
  } while (from && overdue.length < limit);
  return overdue;
}
