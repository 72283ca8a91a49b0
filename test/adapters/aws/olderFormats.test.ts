import { type AttributeValue, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { DynamoDbCalls } from '../../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbKeyLocks } from '../../../lambdas/adapters/aws/keys/DynamoDbKeyLocks.ts';
import { overdueShardOf } from '../../../lambdas/adapters/aws/keys/keyItem.ts';
import { KEY_ITEMS_TABLE } from '../../../lambdas/adapters/aws/tables.ts';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import type { WorkKey } from '../../../lambdas/ports/WorkKey.ts';
import { UNLIMITED } from '../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../model/DynamoModel.ts';
import { Random } from '../../simulation/Random.ts';

const T = Date.UTC(2026, 0, 1);
const WEB: WorkKey = { controller: 'replicaset', namespace: 'default', name: 'web' };
const KEY = { key: { S: 'replicaset:default/web' } };
/** Longer than an intent that today's release leaves in the key's item. */
const DELETES = Array.from({ length: 100 }, (_, at) => ({ name: `web-${at}`, uid: `uid-of-pod-${at}` }));
const INTENT = { id: 'i1', ownerUid: 'u1', count: 3, deletes: DELETES };
/** The item of a key as a release wrote it that had every intent in the key's item. */
const RELEASED = {
  ...KEY,
  failures: { N: '2' },
  wakeAt: { N: `${T - 1_000}` },
  overdueShard: { S: overdueShardOf(WEB) },
  syncedFrom: { N: `${T - 60_000}` },
  intent: { S: JSON.stringify(INTENT) },
  lastHolder: { S: 'old' },
};
const STATE = { failures: 2, wakeAtMs: T - 1_000, syncedFromMs: T - 60_000, intent: INTENT };

/** Key locks over a table that has this item, and what the table says of the key. */
async function open(stored: Readonly<Record<string, AttributeValue>>) {
  const clock = new VirtualClock(T);
  const model = new DynamoModel({ clock, random: new Random(1), physics: UNLIMITED });
  model.createTable('keys', KEY_ITEMS_TABLE);
  const calls = new DynamoDbCalls({ client: model.client, clock, ids: new SeededIds(1) });
  await calls.send((client) => client.send(new PutItemCommand({ TableName: 'keys', Item: stored })));
  clock.advanceBy(1_000);
  const item = async () =>
    (await model.client.send(new GetItemCommand({ TableName: 'keys', Key: KEY, ConsistentRead: true }))).Item;
  return { locks: new DynamoDbKeyLocks({ calls, tableName: 'keys' }), item };
}

/** The first releases wrote no number. */
const FORMATS = [
  ['without a format', {}],
  ['of format 1', { format: { N: '1' } }],
] as const;

test.each(FORMATS)(
  'a free key item %s is found overdue, read, locked and released with its long intent',
  async (_, format) => {
    const { locks, item } = await open({ ...RELEASED, ...format });
    expect(await locks.overdue(T, 10)).toEqual([WEB]);
    expect(await locks.peek(WEB)).toEqual(STATE);
    expect(await locks.acquire(WEB, 'new', T, T + 45_000)).toEqual({ status: 'acquired', item: STATE });
    expect(await item()).toMatchObject({ format: { N: '2' }, holder: { S: 'new' } });
    expect(await locks.release(WEB, 'new', { failures: 3, intent: INTENT })).toEqual({ status: 'released' });
    expect(await locks.peek(WEB)).toEqual({ failures: 3, intent: INTENT });
    expect(await item()).toMatchObject({ format: { N: '2' }, intentAt: { S: expect.any(String) } });
    expect(await item()).not.toHaveProperty('intent');
  },
);

test.each(FORMATS)(
  'a key item %s that a function of the older release still holds keeps its lock and counts who meets it',
  async (_, format) => {
    const held = { holder: { S: 'old' }, heldUntil: { N: `${T + 30_000}` }, marks: { N: '1' } };
    const { locks, item } = await open({ ...RELEASED, ...format, ...held });
    expect(await locks.acquire(WEB, 'new', T, T + 45_000)).toEqual({ status: 'held', untilMs: T + 30_000 });
    expect(await item()).toMatchObject({ holder: { S: 'old' }, marks: { N: '2' } });
    expect(await locks.release(WEB, 'old', { failures: 0 })).toEqual({ status: 'dirty', marks: 2 });
    expect(await locks.acquire(WEB, 'new', T + 30_000, T + 75_000)).toEqual({ status: 'acquired', item: STATE });
    expect(await locks.recordIntent(WEB, 'new', undefined)).toBe('recorded');
    expect(await locks.peek(WEB)).toEqual({ ...STATE, intent: undefined, heldUntilMs: T + 75_000 });
  },
);
