import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDbCalls } from '../DynamoDbCalls.ts';
import { HEARTBEAT_KEY } from './heartbeatTime.ts';

/** The number of this layout. */
const FORMAT = 1;

export interface HeartbeatOptions {
  readonly calls: DynamoDbCalls;
  readonly objectsTable: string;
  /** A heartbeat normally comes well before the last one is so old; milliseconds. */
  readonly longestSilenceMs: number;
  /** Called before the heartbeat is written if the last one is older than that. If it fails, the heartbeat is not written, so that the next one finds the same. */
  readonly onSilence: () => Promise<void>;
}

/**
 * Changes an item of the objects table, so that the stream has a record even if nothing else is written. The functions that read the stream are then invoked, and do nothing. Without that nobody could tell a trigger
 * that reads nothing from a cluster in which nothing changes. Costs one write unit, and another one after a silence.
 */
export async function writeHeartbeat(options: HeartbeatOptions): Promise<void> {
  if ((await write(options, 'unless silent')) === 'written') return;
  await options.onSilence();
  await write(options, 'always');
}

async function write(
  { calls, objectsTable, longestSilenceMs }: HeartbeatOptions,
  when: 'unless silent' | 'always',
): Promise<'written' | 'silent'> {
  const nowMs = calls.clock.now();
  const condition = {
    ConditionExpression: 'attribute_not_exists(writtenAtMs) OR writtenAtMs > :recently',
    ReturnValuesOnConditionCheckFailure: 'NONE',
  } as const;
  const command = new UpdateItemCommand({
    TableName: objectsTable,
    Key: HEARTBEAT_KEY,
    UpdateExpression: 'SET #format = :format, writtenAtMs = :now',
    ...(when === 'unless silent' && condition),
    ExpressionAttributeNames: { '#format': 'format' },
    ExpressionAttributeValues: {
      ':format': { N: `${FORMAT}` },
      ':now': { N: `${nowMs}` },
      ...(when === 'unless silent' && { ':recently': { N: `${nowMs - longestSilenceMs}` } }),
    },
  });
  try {
    await calls.send((client) => client.send(command));
    return 'written';
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return 'silent';
    throw error;
  }
}
