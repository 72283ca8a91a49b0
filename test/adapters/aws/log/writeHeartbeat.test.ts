import { describe, expect, test } from 'vitest';
import { DynamoDbCalls } from '../../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { decodeStreamRecord } from '../../../../lambdas/adapters/aws/log/decodeStreamRecord.ts';
import { heartbeatTime } from '../../../../lambdas/adapters/aws/log/heartbeatTime.ts';
import { OBJECTS_TABLE } from '../../../../lambdas/adapters/aws/tables.ts';
import { writeHeartbeat } from '../../../../lambdas/adapters/aws/log/writeHeartbeat.ts';
import { VirtualClock } from '../../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import { DynamoModel } from '../../../model/DynamoModel.ts';
import { Random } from '../../../simulation/Random.ts';

const T = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;

function open() {
  const clock = new VirtualClock(T);
  const model = new DynamoModel({ clock, random: new Random(1), physics: { partitions: 1 } });
  model.createTable('objects', OBJECTS_TABLE);
  const client = { send: async (command: object) => model.execute(command) };
  const calls = new DynamoDbCalls({ client, clock, ids: new SeededIds(1) });
  let silences = 0;
  const onSilence = async () => void (silences += 1);
  const beat = (whenSilent = onSilence) =>
    writeHeartbeat({ calls, objectsTable: 'objects', longestSilenceMs: 22 * HOUR_MS, onSilence: whenSilent });
  const records = () => model.stream('objects').shards.flatMap((shard) => shard.read(undefined, 10, clock.now()));
  return { clock, beat, records, silences: () => silences };
}

describe('a heartbeat', () => {
  test('is a record of the stream that names its time, and no change of an object', async () => {
    const { clock, beat, records } = open();
    await beat();
    clock.advanceBy(1_000);
    await beat();
    clock.advanceBy(1_000);
    expect(records().map(({ eventName }) => eventName)).toEqual(['INSERT', 'MODIFY']);
    expect(records().map((record) => decodeStreamRecord(record))).toEqual([{ status: 'none' }, { status: 'none' }]);
    expect(records().map((record) => heartbeatTime(record))).toEqual([T, T + 1_000]);
  });

  test.each([
    [21, 0],
    [22, 1],
    [1_000, 1],
  ])('that comes %d hours after the last one tells of %d silences', async (hours, count) => {
    const { clock, beat, silences } = open();
    await beat();
    expect(silences()).toBe(0);
    clock.advanceBy(hours * HOUR_MS);
    await beat();
    expect(silences()).toBe(count);
    await beat();
    expect(silences()).toBe(count);
  });

  test('is not written while what a silence asks for fails, so that the next one tells of it again', async () => {
    const { clock, beat, silences } = open();
    await beat();
    clock.advanceBy(30 * HOUR_MS);
    await expect(beat(() => Promise.reject(new Error('the queue is away')))).rejects.toThrow('the queue is away');
    await beat();
    expect(silences()).toBe(1);
  });
});

test('the records of other items have no time of a heartbeat', () => {
  const Keys = { place: { S: 'pods#a#1' }, name: { S: 'web' } };
  expect(heartbeatTime({ dynamodb: { Keys, NewImage: { ...Keys, writtenAtMs: { N: '5' } } } })).toBeUndefined();
  expect(heartbeatTime({})).toBeUndefined();
});
