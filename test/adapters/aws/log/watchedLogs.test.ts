import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { DynamoDbCalls } from '../../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { WatchedLogs } from '../../../../lambdas/adapters/aws/log/WatchedLogs.ts';
import { LOG_TABLE } from '../../../../lambdas/adapters/aws/tables.ts';
import { VirtualClock } from '../../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import { UNLIMITED } from '../../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../../model/DynamoModel.ts';
import { Random } from '../../../simulation/Random.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

let clock: VirtualClock;
let model: DynamoModel;
let requests: string[];
let isBroken: boolean;

beforeEach(() => {
  clock = new VirtualClock(Date.UTC(2026, 0, 1));
  model = new DynamoModel({ clock, random: new Random(1), physics: UNLIMITED });
  model.createTable('log', LOG_TABLE);
  requests = [];
  isBroken = false;
});

/** What one process knows. */
function newProcess(): WatchedLogs {
  const send = async (command: object) => {
    if (command instanceof GetItemCommand) requests.push('read');
    if (command instanceof UpdateItemCommand)
      requests.push(`mark ${command.input.ExpressionAttributeNames?.['#watched']}`);
    if (isBroken) throw new Error('no way');
    return model.execute(command);
  };
  return new WatchedLogs(new DynamoDbCalls({ client: { send }, clock, ids: new SeededIds(1) }), 'log');
}

/** Resolves when all that was begun is over: no request takes time. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

/** Somebody watches for that long. */
async function watchFor(process: WatchedLogs, resource: string, durationMs: number): Promise<void> {
  for (let passedMs = 0; passedMs <= durationMs; passedMs += SECOND_MS) {
    process.note(resource);
    await settled();
    clock.advanceBy(SECOND_MS);
  }
}

describe('a log that somebody watches', () => {
  test('counts as watched as long as that goes on, and for two and a half minutes after its last mark', async () => {
    const [watcher, writer] = [newProcess(), newProcess()];
    expect(await writer.isWatched('pods')).toBe(false);
    await watchFor(watcher, 'pods', 10 * MINUTE_MS);
    expect(await writer.isWatched('pods')).toBe(true);
    expect(await writer.isWatched('configmaps')).toBe(false);
    clock.advanceBy(2.5 * MINUTE_MS);
    expect(await writer.isWatched('pods')).toBe(false);
  });

  test('is known as one to every writer after three seconds', async () => {
    const writer = newProcess();
    expect(await writer.isWatched('pods')).toBe(false);
    newProcess().note('pods');
    await settled();
    expect(await writer.isWatched('pods')).toBe(false);
    clock.advanceBy(3 * SECOND_MS);
    expect(await writer.isWatched('pods')).toBe(true);
  });

  test('is marked once in one and a half minutes, however many processes watch it', async () => {
    const all = Array.from({ length: 20 }, newProcess);
    for (let minute = 0; minute < 6; minute += 1) {
      for (const one of all) {
        one.note('pods');
        await settled();
      }
      clock.advanceBy(MINUTE_MS);
    }
    expect(requests.filter((one) => one === 'mark pods').length).toBeLessThanOrEqual(6);
  });
});

test('a writer reads what is watched once in three seconds, for all resources', async () => {
  const writer = newProcess();
  for (let ms = 0; ms < 9_000; ms += 100) {
    await writer.isWatched(ms % 200 === 0 ? 'pods' : 'configmaps');
    clock.advanceBy(100);
  }
  expect(requests).toEqual(['read', 'read', 'read']);
});

test('a mark that ended an hour ago is removed with the next one', async () => {
  newProcess().note('pods');
  await settled();
  clock.advanceBy(62 * MINUTE_MS + 30 * SECOND_MS + 1);
  newProcess().note('configmaps');
  await settled();
  const key = { resource: { S: '#watched' }, segment: { N: '0' } };
  const { Item } = await model.client.send(new GetItemCommand({ TableName: 'log', Key: key }));
  expect(Object.keys(Item ?? {}).sort()).toEqual(['configmaps', 'resource', 'segment']);
});

test('nothing fails if the marks can be neither read nor written', async () => {
  isBroken = true;
  const one = newProcess();
  one.note('pods');
  expect(await one.isWatched('pods')).toBe(false);
  await settled();
});
