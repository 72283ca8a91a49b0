import { ConditionalCheckFailedException, DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import type { ReadVersion } from '../../../ports/ChangeLog.ts';
import { LATEST_WRITE_MS, StoreTimeoutError, TOMBSTONE_LIFETIME_MS } from '../../../ports/ObjectStore.ts';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import { isLive, keyOfItem, type ObjectItem, versionOf } from './objectItem.ts';

/** A tombstone as a list met it. `version`: that of the removal; 0 if only UIDs were burned. */
export interface Tombstone extends ReadVersion {
  readonly place: string;
  /** When DynamoDB may delete it, in seconds: a lifetime after the last UID was removed or burned. */
  readonly expiresAt: number;
}

/** Fewer are not worth a write unit each: the 16 partitions of a namespace's pods cost a list one read unit each, with 30 tombstones as without. */
const FEWEST = 500;
/** One list deletes no more, so that it does not take much longer: about 100 ms. */
const MOST = 1_000;
const PARALLEL = 50;
/** A list waits no longer for that, however slow the table is. */
const LONGEST_MS = 1_000;

/** Returns the tombstones among the items. Pure. */
export function tombstonesOf(items: readonly ObjectItem[]): readonly Tombstone[] {
  return items.flatMap((item) => {
    const key = keyOfItem(item);
    if (isLive(item) || !key) return [];
    const { namespace, name } = key;
    const place = item['place']?.S ?? '';
    return [{ namespace, name, place, version: versionOf(item), expiresAt: Number(item['expiresAt']?.N) }];
  });
}

/** Returns the tombstones that no late create can meet any more, if it is worth while to delete them; at most as many as one list deletes. Pure. */
export function droppable(tombstones: readonly Tombstone[], nowMs: number): readonly Tombstone[] {
  const latestMs = nowMs + TOMBSTONE_LIFETIME_MS - LATEST_WRITE_MS;
  const old = tombstones.filter(({ expiresAt }) => expiresAt * 1000 <= latestMs);
  return old.length < FEWEST ? [] : old.slice(0, MOST);
}

/** Deletes tombstones, each unless it has changed meanwhile. Costs a write unit each. Ends early when the table has no throughput to spare, or after a second. */
export async function dropTombstones(
  calls: DynamoDbCalls,
  tableName: string,
  tombstones: readonly Tombstone[],
): Promise<void> {
  const left = [...tombstones];
  const { clock } = calls;
  const endMs = clock.steadyMs() + LONGEST_MS;
  const sparing = calls.givingWay().until(() => endMs - clock.steadyMs());
  const dropAll = async () => {
    for (let next = left.pop(); next; next = left.pop()) await drop(sparing, tableName, next);
  };
  try {
    await Promise.all(Array.from({ length: PARALLEL }, dropAll));
  } catch (error) {
    left.length = 0;
    if (!(error instanceof StoreTimeoutError)) throw error;
  }
}

async function drop(calls: DynamoDbCalls, tableName: string, { place, name, expiresAt }: Tombstone): Promise<void> {
  const command = new DeleteItemCommand({
    TableName: tableName,
    Key: { place: { S: place }, name: { S: name } },
    ConditionExpression: 'attribute_not_exists(uid) AND expiresAt = :expiresAt',
    ExpressionAttributeValues: { ':expiresAt': { N: String(expiresAt) } },
  });
  try {
    await calls.send((client) => client.send(command));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
