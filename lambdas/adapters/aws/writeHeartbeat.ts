import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDbCalls } from './DynamoDbCalls.ts';

/** The number of this layout. */
const FORMAT = 1;

/** Holds no object, so no reader of the stream finds a change in its records. No resource has this name. */
const KEY = { place: { S: 'heartbeats#' }, name: { S: 'stream' } };

/**
 * Changes an item of the objects table, so that the stream has a record even if nothing else is written. The functions that read the stream are then invoked, and do nothing. Without that nobody could tell a trigger
 * that reads nothing from a cluster in which nothing changes. Costs one write unit.
 */
export async function writeHeartbeat(calls: DynamoDbCalls, objectsTable: string): Promise<void> {
  const write = new UpdateItemCommand({
    TableName: objectsTable,
    Key: KEY,
    UpdateExpression: 'SET #format = :format, writtenAtMs = :now',
    ExpressionAttributeNames: { '#format': 'format' },
    ExpressionAttributeValues: { ':format': { N: `${FORMAT}` }, ':now': { N: `${calls.clock.now()}` } },
  });
  await calls.send((client) => client.send(write));
}
