import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { OBJECTS_TABLE } from '../../../lambdas/adapters/aws/tables.ts';
import { Random } from '../../simulation/Random.ts';
import { Scheduler } from '../../simulation/Scheduler.ts';
import type { DynamoPhysics } from '../dynamo/DynamoPhysics.ts';
import type { TableRecord } from '../dynamo/StreamShard.ts';
import { DynamoModel } from '../DynamoModel.ts';
import { NO_SERVICE_FAULTS } from '../NO_SERVICE_FAULTS.ts';
import type { InvokeOutcome } from './FunctionModel.ts';
import { StreamMapping } from './StreamMapping.ts';

const HOUR_MS = 3_600_000;

interface World {
  readonly physics?: Partial<DynamoPhysics>;
  readonly faults?: Partial<typeof NO_SERVICE_FAULTS>;
  readonly maxAgeMs?: number;
}

/** A table of one partition with its stream, and a function that notes the names that it is given. */
function openWorld({ physics, faults, maxAgeMs = Number.POSITIVE_INFINITY }: World = {}) {
  const scheduler = new Scheduler(0, new Random(1));
  const model = new DynamoModel({ clock: scheduler, random: new Random(2), physics: { partitions: 1, ...physics } });
  model.createTable('objects', OBJECTS_TABLE);
  const handled: string[] = [];
  const givenUp: string[] = [];
  const invoke = async (event: unknown): Promise<InvokeOutcome> => {
    const { Records } = event as { readonly Records: readonly TableRecord[] };
    handled.push(...Records.map(nameOf));
    return { status: 'returned', result: undefined };
  };
  const mapping = new StreamMapping({
    source: model.stream('objects'),
    target: { invoke },
    batchSize: 10,
    retries: 2,
    maxAgeMs,
    scheduler,
    random: new Random(3),
    faults: () => ({ ...NO_SERVICE_FAULTS, ...faults }),
    encode: (record) => record,
    onGivenUp: (records, condition) => givenUp.push(...records.map((record) => `${nameOf(record)}: ${condition}`)),
  });
  const put = (name: string, uid?: string) => {
    const Item = { place: { S: 'pods#a' }, name: { S: name }, ...(uid !== undefined && { uid: { S: uid } }) };
    model.execute(new PutItemCommand({ TableName: 'objects', Item }));
  };
  const remove = (name: string) => {
    const Key = { place: { S: 'pods#a' }, name: { S: name } };
    model.execute(new DeleteItemCommand({ TableName: 'objects', Key }));
  };
  const rest = async () => {
    while (await scheduler.step(Number.POSITIVE_INFINITY));
  };
  return { model, mapping, scheduler, handled, givenUp, put, remove, rest };
}

function nameOf({ dynamodb }: TableRecord): string {
  return dynamodb.Keys['name']?.S ?? '';
}

test('the records of a split partition come after those of its parent', async () => {
  const { model, handled, put, rest } = openWorld({ physics: { streamLagMs: [1, 500] } });
  put('a');
  model.splitPartition('objects', 0);
  put('b');
  await rest();
  expect(handled).toEqual(['a', 'b']);
});

test('a shard that ended without a record does not keep its children back', async () => {
  const { model, mapping, handled, put, rest } = openWorld({ physics: { streamLagMs: [500, 500] } });
  put('a');
  model.splitPartition('objects', 0);
  for (const luck of [0, 0.4, 0.99]) model.splitPartition('objects', luck);
  // The shards that are empty and closed are no longer listed.
  expect(model.stream('objects').shards.length).toBeGreaterThan(0);
  put('b');
  await rest();
  expect(handled).toEqual(['a', 'b']);
  expect(mapping.isBusy).toBe(false);
});

test('records that wait for longer than their greatest age are given up, with a notice', async () => {
  const { handled, givenUp, put, rest } = openWorld({ faults: { restingShard: 1 }, maxAgeMs: 10_000 });
  put('a');
  put('b');
  await rest();
  expect(handled).toEqual([]);
  expect(givenUp).toEqual(['a: RecordAgeExceeded', 'b: RecordAgeExceeded']);
});

test('records that were given up before anybody had them are not handed over as duplicates either', async () => {
  const faults = { restingShard: 1, duplicateBatch: 1 };
  const { handled, givenUp, put, rest } = openWorld({ faults, maxAgeMs: 10_000 });
  put('a');
  await rest();
  expect([handled, givenUp]).toEqual([[], ['a: RecordAgeExceeded']]);
});

test('of removed items only those of live objects reach the function, as the filter of the stack says', async () => {
  const { handled, put, remove, rest } = openWorld();
  put('live', 'uid-1');
  put('tombstone');
  remove('live');
  remove('tombstone');
  await rest();
  expect(handled).toEqual(['live', 'tombstone', 'live']);
});

test('a trigger that reads nothing for longer than a day misses what the stream drops, without a notice', async () => {
  const { mapping, scheduler, handled, givenUp, put, rest } = openWorld();
  put('a');
  await rest();
  mapping.stopReading();
  put('b');
  await rest();
  scheduler.leap(20 * HOUR_MS);
  put('c');
  await rest();
  scheduler.leap(5 * HOUR_MS);
  expect(mapping.readOn().map(nameOf)).toEqual(['b']);
  await rest();
  expect([handled, givenUp]).toEqual([['a', 'c'], []]);
  expect(mapping.isBusy).toBe(false);
});
