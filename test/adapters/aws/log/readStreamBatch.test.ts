import { GetRecordsCommand, type GetRecordsCommandInput } from '@aws-sdk/client-dynamodb-streams';
import { describe, expect, test } from 'vitest';
import { DynamoDbCalls } from '../../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbObjectStore } from '../../../../lambdas/adapters/aws/objects/DynamoDbObjectStore.ts';
import { readStreamBatch, type StreamsSender } from '../../../../lambdas/adapters/aws/log/readStreamBatch.ts';
import { NAMESPACES_TABLE, OBJECTS_TABLE, VERSIONS_TABLE } from '../../../../lambdas/adapters/aws/tables.ts';
import { writeHeartbeat } from '../../../../lambdas/adapters/aws/log/writeHeartbeat.ts';
import { VirtualClock } from '../../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import { removed, sample, stored } from '../../../contracts/objectStoreSamples.ts';
import { UNLIMITED } from '../../../model/dynamo/DynamoPhysics.ts';
import { StreamsModel } from '../../../model/dynamo/StreamsModel.ts';
import { DynamoModel } from '../../../model/DynamoModel.ts';
import { STREAMS } from '../../../model/publishedLimits.ts';
import { Random } from '../../../simulation/Random.ts';

const T = Date.UTC(2026, 0, 1);
const A_2 = { namespace: 'default', name: 'a', version: 2 };
const A_3 = { ...A_2, version: 3 };
const B_2 = { ...A_2, name: 'b' };

/** A table with one ConfigMap that was written and removed, and one Secret, in a stream of one shard each. */
async function open() {
  const clock = new VirtualClock(T);
  const model = new DynamoModel({ clock, random: new Random(1), physics: { ...UNLIMITED, partitions: 1 } });
  model.createTable('objects', OBJECTS_TABLE);
  model.createTable('versions', VERSIONS_TABLE);
  model.createTable('namespaces', NAMESPACES_TABLE);
  const calls = new DynamoDbCalls({ client: model.client, clock, ids: new SeededIds(1) });
  const tables = { objects: 'objects', versions: 'versions', namespaces: 'namespaces' };
  const store = new DynamoDbObjectStore({ calls, tables });
  const map = await stored(store, 'configmaps', sample('a'));
  clock.advanceBy(1_000);
  await stored(store, 'secrets', sample('b'));
  clock.advanceBy(1_000);
  await removed(store, 'configmaps', map);
  const stream = model.stream('objects');
  const streams = new StreamsModel(stream, clock);
  const sender = { send: async (command: object) => streams.execute(command) } as unknown as StreamsSender;
  const sequenceNumbers = () =>
    stream.shards.flatMap((shard) =>
      shard.read(undefined, 100, clock.now()).map(({ dynamodb }) => dynamodb.SequenceNumber),
    );
  const beat = async () => {
    await writeHeartbeat({ calls, objectsTable: 'objects', longestSilenceMs: 1_000, onSilence: async () => {} });
    clock.advanceBy(1_000);
  };
  const batch = (from: number, to: number) => {
    const sequences = sequenceNumbers();
    const [first = '', last = ''] = [sequences[from], sequences[to]];
    return { streamArn: 'arn', shardId: streams.shardOf(first) ?? '', first, last };
  };
  return { clock, sender, batch, beat, sequenceNumbers };
}

describe('a batch of the stream that was given up', () => {
  test.each([
    [0, 0, { configmaps: [A_2] }],
    [1, 1, { secrets: [B_2] }],
    [0, 2, { configmaps: [A_2, A_3], secrets: [B_2] }],
  ])('of records %d to %d has lost the changes %j', async (from, to, lost) => {
    const { sender, batch } = await open();
    expect(await readStreamBatch(sender, batch(from, to))).toEqual(lost);
  });

  test('is read in pages, of which some may be empty', async () => {
    const { sender, batch } = await open();
    const pages: number[] = [];
    const slow = {
      send: async (command: { input: object }) => {
        const isRead = 'ShardIterator' in command.input;
        if (!isRead) return await sender.send(command as never);
        pages.push(pages.length);
        if (pages.length % 2 === 1)
          return { Records: [], NextShardIterator: (command.input as { ShardIterator: string }).ShardIterator };
        Object.assign(command.input, { Limit: 1 });
        return await sender.send(command as never);
      },
    } as unknown as StreamsSender;
    expect(await readStreamBatch(slow, batch(0, 2))).toEqual({ configmaps: [A_2, A_3], secrets: [B_2] });
    expect(pages).toHaveLength(6);
  });

  test('may have lost changes of any resource when its records have expired, or its shard has', async () => {
    const { sender, batch } = await open();
    const whole = batch(0, 2);
    const tooLate = { ...whole, first: String(BigInt(whole.first) - 1n) };
    expect(await readStreamBatch(sender, tooLate)).toBe('any');
    expect(await readStreamBatch(sender, { ...whole, shardId: 'another' })).toBe('any');
    expect(await readStreamBatch(sender, { ...whole, last: `${whole.last}0` })).toBe('any');
  });

  test.each([
    [STREAMS.iteratorLifeMs - 1, { configmaps: [A_2, A_3], secrets: [B_2] }],
    [STREAMS.iteratorLifeMs, 'any'],
  ])('of which the next page is asked for after %d ms has lost the changes %j', async (pauseMs, lost) => {
    const { clock, sender, batch } = await open();
    const frozen = {
      send: async (command: { input: object }) => {
        if (!('ShardIterator' in command.input)) return await sender.send(command as never);
        clock.advanceBy(pauseMs);
        return await sender.send(new GetRecordsCommand({ ...(command.input as GetRecordsCommandInput), Limit: 1 }));
      },
    } as unknown as StreamsSender;
    expect(await readStreamBatch(frozen, batch(0, 2))).toEqual(lost);
  });

  test('that has a heartbeat may have lost changes of any resource, since it was given up for its age', async () => {
    const { sender, sequenceNumbers, batch, beat } = await open();
    await beat();
    const last = sequenceNumbers().length - 1;
    expect(await readStreamBatch(sender, batch(last, last))).toBe('any');
  });

  test('that cannot be read now is no batch without changes', async () => {
    const { batch } = await open();
    const throttled = {
      send: () => Promise.reject(Object.assign(new Error('slow down'), { name: 'LimitExceededException' })),
    } as unknown as StreamsSender;
    await expect(readStreamBatch(throttled, batch(0, 2))).rejects.toThrow('slow down');
  });
});
