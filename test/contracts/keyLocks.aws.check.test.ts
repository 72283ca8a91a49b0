import type { DynamoDBClient, UpdateItemCommandOutput } from '@aws-sdk/client-dynamodb';
import { ConditionalCheckFailedException, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as fc from '../support/seededFastCheck.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DynamoDbCalls } from '../../lambdas/adapters/aws/DynamoDbCalls.ts';
import { DynamoDbKeyLocks } from '../../lambdas/adapters/aws/keys/DynamoDbKeyLocks.ts';
import { OVERDUE_SHARDS, overdueShardOf } from '../../lambdas/adapters/aws/keys/keyItem.ts';
import { KEY_ITEMS_TABLE } from '../../lambdas/adapters/aws/tables.ts';
import { EmbeddedKeyLocks } from '../../lambdas/adapters/embedded/EmbeddedKeyLocks.ts';
import { SystemIds } from '../../lambdas/adapters/ids/SystemIds.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import type { KeyLocks } from '../../lambdas/ports/KeyLocks.ts';
import type { WorkKey } from '../../lambdas/ports/WorkKey.ts';
import { DynamoDbLocal, dynamoDbLocalMissing } from '../support/DynamoDbLocal.ts';
import { keyLocksContract } from './keyLocksContract.ts';

const T = Date.UTC(2026, 0, 1);
const WEB: WorkKey = { controller: 'replicaset', namespace: 'default', name: 'web' };
const INTENT = { id: 'i1', ownerUid: 'u1', count: 3, deletes: [] };

describe.skipIf(dynamoDbLocalMissing)(
  `on DynamoDB Local${dynamoDbLocalMissing ? `: ${dynamoDbLocalMissing}` : ''}`,
  () => {
    let dynamoDbLocal: DynamoDbLocal;

    beforeAll(async () => {
      dynamoDbLocal = await DynamoDbLocal.start();
    }, 60_000);
    afterAll(() => dynamoDbLocal?.stop());

    async function openLocks(client: DynamoDBClient = dynamoDbLocal.client, longestInline?: number) {
      const calls = new DynamoDbCalls({ client, clock: new VirtualClock(T), ids: new SystemIds() });
      const { tableName } = await dynamoDbLocal.createTable(KEY_ITEMS_TABLE);
      return { locks: new DynamoDbKeyLocks({ calls, tableName, longestInline }), tableName };
    }

    async function itemOf(tableName: string, key = WEB) {
      const Key = { key: { S: `${key.controller}:${key.namespace}/${key.name}` } };
      return (await dynamoDbLocal.client.send(new GetItemCommand({ TableName: tableName, Key }))).Item;
    }

    keyLocksContract('DynamoDbKeyLocks', async () => ({ ...(await openLocks()), close: async () => {} }));
    keyLocksContract('DynamoDbKeyLocks with every intent in an item of its own', async () => ({
      ...(await openLocks(dynamoDbLocal.client, 0)),
      close: async () => {},
    }));

    describe('an intent of 500 deletes', () => {
      const deletes = Array.from({ length: 500 }, (_, at) => ({ name: `web-${at}`, uid: `uid-of-pod-${at}` }));
      const long = { ...INTENT, deletes };

      test('leaves the item small that each worker writes which meets the lock, and is kept and cleared with it', async () => {
        const { locks, tableName } = await openLocks();
        await locks.acquire(WEB, 'a', T, T + 45_000);
        await locks.recordIntent(WEB, 'a', long);
        expect(JSON.stringify(await itemOf(tableName)).length).toBeLessThan(1_000);
        expect(await locks.peek(WEB)).toMatchObject({ intent: long });
        await locks.release(WEB, 'a', { failures: 1, intent: long });
        expect(await locks.acquire(WEB, 'b', T, T + 45_000)).toMatchObject({ item: { failures: 1, intent: long } });
        await locks.recordIntent(WEB, 'b', INTENT);
        expect(await locks.peek(WEB)).toMatchObject({ intent: INTENT });
        await locks.recordIntent(WEB, 'b', long);
        await locks.release(WEB, 'b', { failures: 0 });
        expect(await locks.peek(WEB)).toEqual({ failures: 0 });
      });

      test('that a worker records after it has lost its lock changes nothing for the next one', async () => {
        const { locks } = await openLocks();
        await locks.acquire(WEB, 'late', T, T + 1);
        await locks.acquire(WEB, 'b', T + 1_000, T + 45_000);
        await locks.recordIntent(WEB, 'b', long);
        expect(await locks.recordIntent(WEB, 'late', { ...long, count: 7 })).toBe('lost');
        expect(await locks.peek(WEB)).toMatchObject({ intent: long });
      });
    });

    test('of many concurrent acquisitions one gets the lock, and all others mark it dirty', async () => {
      const { locks } = await openLocks();
      const holders = Array.from({ length: 12 }, (_, at) => `holder-${at}`);
      const outcomes = await Promise.all(holders.map((holder) => locks.acquire(WEB, holder, T, T + 45_000)));
      const winners = holders.filter((_, at) => outcomes[at]?.status === 'acquired');
      expect(winners).toHaveLength(1);
      expect(await locks.release(WEB, winners[0] ?? '', { failures: 0 })).toEqual({
        status: 'dirty',
        marks: 11,
      });
    });

    test('an item without failures, wake-up and intent is forgotten after an hour, but never while its lock is held', async () => {
      const { locks, tableName } = await openLocks();
      await locks.acquire(WEB, 'a', T, T + 45_000);
      await locks.release(WEB, 'a', { failures: 0, syncedFromMs: T });
      expect((await itemOf(tableName))?.['expiresAt']).toEqual({ N: `${T / 1000 + 3600}` });
      await locks.acquire(WEB, 'b', T, T + 45_000);
      expect(await itemOf(tableName)).not.toHaveProperty('expiresAt');
    });

    test.each([
      { says: 'failures', item: { failures: 1 } },
      { says: 'a wake-up', item: { failures: 0, wakeAtMs: T + 1_000 } },
      { says: 'an intent', item: { failures: 0, intent: INTENT } },
    ])('an item with $says is kept', async ({ item }) => {
      const { locks, tableName } = await openLocks();
      await locks.acquire(WEB, 'a', T, T + 45_000);
      await locks.release(WEB, 'a', item);
      expect(await itemOf(tableName)).not.toHaveProperty('expiresAt');
    });

    test('an item of a newer format is refused by name, and stays as it is', async () => {
      const { locks, tableName } = await openLocks();
      const Item = { key: { S: 'replicaset:default/web' }, format: { N: '3' }, failures: { N: '3' } };
      await dynamoDbLocal.client.send(new PutItemCommand({ TableName: tableName, Item }));
      const why = 'the item replicaset:default/web has format 3, and this release reads only up to 2';
      await expect(locks.acquire(WEB, 'a', T, T + 45_000)).rejects.toThrow(why);
      await expect(locks.peek(WEB)).rejects.toThrow(why);
      expect(await itemOf(tableName)).toEqual(Item);
    });

    test('hundreds of overdue keys are read in pages and returned in order', async () => {
      const { locks } = await openLocks();
      const wakeUps = Array.from({ length: 200 }, (_, at) => ({
        key: { ...WEB, name: `web-${at}` },
        at: (at * 37) % 200,
      }));
      for (const { key, at } of wakeUps) {
        await locks.acquire(key, 'a', T, T + 45_000);
        await locks.release(key, 'a', { failures: 0, wakeAtMs: T + at });
      }
      const inOrder = wakeUps.toSorted((a, b) => a.at - b.at).map(({ key }) => key);
      expect(await locks.overdue(T + 150, 1_000)).toEqual(inOrder.slice(0, 150));
      expect(await locks.overdue(T + 150, 30)).toEqual(inOrder.slice(0, 30));
    });

    describe('when the answer to a write is lost and the write repeated', () => {
      /** A client that sends each request twice and returns the second answer. */
      function repeating(): DynamoDBClient {
        const client = dynamoDbLocal.newClient();
        client.middlewareStack.add(
          (next) => async (args) => {
            await next(args).catch(() => {});
            try {
              const answered = await next(args);
              return answered;
            } catch (error) {
              if (error instanceof ConditionalCheckFailedException) error.$metadata.attempts = 2;
              throw error;
            }
          },
          { step: 'initialize', priority: 'low' },
        );
        return client;
      }

      test('an acquisition that succeeded is answered as acquired', async () => {
        const { locks } = await openLocks(repeating());
        expect(await locks.acquire(WEB, 'a', T, T + 45_000)).toEqual({ status: 'acquired', item: { failures: 0 } });
      });

      test('a release that succeeded is answered as released, and the next holder gets the stored item', async () => {
        const { locks } = await openLocks(repeating());
        await locks.acquire(WEB, 'a', T, T + 45_000);
        expect(await locks.release(WEB, 'a', { failures: 2 })).toEqual({ status: 'released' });
        expect(await locks.acquire(WEB, 'b', T, T + 45_000)).toEqual({ status: 'acquired', item: { failures: 2 } });
        expect(await locks.release(WEB, 'a', { failures: 7 })).not.toMatchObject({ status: 'dirty' });
        expect(await locks.peek(WEB)).toEqual({ failures: 2, heldUntilMs: T + 45_000 });
      });

      test('an intent is recorded once', async () => {
        const { locks } = await openLocks(repeating());
        await locks.acquire(WEB, 'a', T, T + 45_000);
        expect(await locks.recordIntent(WEB, 'a', INTENT)).toBe('recorded');
        expect(await locks.peek(WEB)).toMatchObject({ intent: INTENT });
      });
    });

    test('any sequence of calls gets the same answers as from the embedded adapter', {
      timeout: 60_000,
    }, async () => {
      const { locks } = await openLocks();
      const names = fc.constantFrom('a', 'b', 'c');
      // Each acquisition has a holder of its own. In other calls `holder` picks one of the earlier holders.
      const step = fc.oneof(
        fc.record({ ask: fc.constant('acquire' as const), name: names, lastsMs: fc.integer({ min: 1, max: 30 }) }),
        fc.record({ ask: fc.constant('intent' as const), name: names, holder: fc.nat(), isCleared: fc.boolean() }),
        fc.record({
          ask: fc.constant('release' as const),
          name: names,
          holder: fc.nat(),
          coveredMarks: fc.nat({ max: 3 }),
          failures: fc.nat({ max: 2 }),
          wakes: fc.boolean(),
        }),
        fc.record({ ask: fc.constant('peek' as const), name: names }),
        fc.record({ ask: fc.constant('overdue' as const), limit: fc.integer({ min: 1, max: 3 }) }),
      );
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          run += 1;
          const keyOf = (name: string): WorkKey => ({ ...WEB, namespace: `run-${run}`, name });
          const embedded = new EmbeddedKeyLocks();
          let holders = 0;
          const ask = async (asked: KeyLocks, step: (typeof steps)[number], nowMs: number) => {
            const holder = 'holder' in step ? `${run}-${step.holder % Math.max(1, holders)}` : '';
            switch (step.ask) {
              case 'acquire':
                return asked.acquire(keyOf(step.name), `${run}-${holders}`, nowMs, nowMs + step.lastsMs);
              case 'intent':
                return asked.recordIntent(keyOf(step.name), holder, step.isCleared ? undefined : INTENT);
              case 'release': {
                const item = {
                  failures: step.failures,
                  syncedFromMs: nowMs,
                  ...(step.wakes && { wakeAtMs: nowMs + 5 }),
                };
                return asked.release(keyOf(step.name), holder, item, step.coveredMarks);
              }
              case 'peek':
                return asked.peek(keyOf(step.name));
              case 'overdue':
                // The table also holds keys of other runs.
                return (await asked.overdue(nowMs, 10_000))
                  .filter(({ namespace }) => namespace === `run-${run}`)
                  .slice(0, step.limit);
            }
          };
          for (const [at, step] of steps.entries()) {
            const expected = await ask(embedded, step, T + at * 10);
            expect(await ask(locks, step, T + at * 10)).toEqual(expected);
            if (step.ask === 'acquire') holders += 1;
          }
        }),
        { numRuns: 40 },
      );
    });

    test('a sync without contention costs two write units and no read', async () => {
      const client = dynamoDbLocal.newClient();
      const consumed: unknown[] = [];
      client.middlewareStack.add(
        (next) => async (args) => {
          const answer = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'INDEXES' } });
          consumed.push((answer.output as UpdateItemCommandOutput).ConsumedCapacity?.CapacityUnits);
          return answer;
        },
        { step: 'initialize' },
      );
      const { locks } = await openLocks(client);
      for (const nowMs of [T, T + 1_000]) {
        await locks.acquire(WEB, `holder-${nowMs}`, nowMs, nowMs + 45_000);
        await locks.release(WEB, `holder-${nowMs}`, { failures: 0, syncedFromMs: nowMs });
      }
      expect(consumed).toEqual([1, 1, 1, 1]);
    });

    test('each worker that meets a lock costs its holder one write more', async () => {
      const client = dynamoDbLocal.newClient();
      const { locks } = await openLocks(client);
      await locks.acquire(WEB, 'a', T, T + 45_000);
      await locks.acquire(WEB, 'b', T, T + 45_000);
      let writes = 0;
      client.middlewareStack.add(
        (next) => (args) => {
          writes += 1;
          return next(args);
        },
        { step: 'initialize' },
      );
      await locks.release(WEB, 'a', { failures: 0 });
      await locks.release(WEB, 'a', { failures: 0 }, 1);
      expect(writes).toBe(2);
    });
  },
);

test('keys spread over all partitions of the overdue index', () => {
  const shards = Array.from({ length: 100 }, (_, at) => overdueShardOf({ ...WEB, name: `web-${at}` }));
  for (const shard of OVERDUE_SHARDS) expect(shards.filter((one) => one === shard).length).toBeGreaterThan(10);
});
