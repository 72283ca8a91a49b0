import { expect, test } from 'vitest';
import { DynamoDbCalls } from '../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { decodeStreamRecord } from '../../../lambdas/adapters/aws/decodeStreamRecord.ts';
import { OBJECTS_TABLE } from '../../../lambdas/adapters/aws/tables.ts';
import { writeHeartbeat } from '../../../lambdas/adapters/aws/writeHeartbeat.ts';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import { DynamoModel } from '../../model/DynamoModel.ts';
import { Random } from '../../simulation/Random.ts';

test('each heartbeat is a record of the stream, and none is a change of an object', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const model = new DynamoModel({ clock, random: new Random(1), physics: { partitions: 1 } });
  model.createTable('objects', OBJECTS_TABLE);
  const client = { send: async (command: object) => model.execute(command) };
  const calls = new DynamoDbCalls({ client, clock, ids: new SeededIds(1) });
  await writeHeartbeat(calls, 'objects');
  clock.advanceBy(1_000);
  await writeHeartbeat(calls, 'objects');
  const records = model.stream('objects').shards.flatMap((shard) => shard.read(undefined, 10, clock.now()));
  expect(records.map(({ eventName }) => eventName)).toEqual(['INSERT', 'MODIFY']);
  expect(records.map((record) => decodeStreamRecord(record))).toEqual([{ status: 'none' }, { status: 'none' }]);
});
